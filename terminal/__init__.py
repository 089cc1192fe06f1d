"""The `askbook` command and its ports to network and files."""
