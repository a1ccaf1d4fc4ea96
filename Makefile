# Everything here is a command of Go's; see README.md and CONTRIBUTING.md.

# The page that detect serve has in it, newly compiled, as files for any host.
.PHONY: web
web:
	go run ./web/build -site site
