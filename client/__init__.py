"""The files a site serves to its readers: web components, worker and the vendored runtime."""
