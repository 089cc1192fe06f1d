"""The example book and the recipes, as files that travel with the package."""
