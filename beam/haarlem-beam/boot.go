package main

import (
	"context"
	"errors"
	"flag"
	"strings"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// booted reports whether an engine has started this process as a worker
// (-environment_type PROCESS), which says no more than an identifier and who tells
// the rest. Prism 2.77 puts the identifier into quotes as if a shell took them off
// ("--id='job-001_go'"); the engine then waits forever for a worker of another name.
func booted(args []string) (id, endpoint string, ok bool) {
	for _, a := range args {
		name, value, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		switch value = strings.Trim(value, "'"); name {
		case "id":
			id = value
		case "provision_endpoint":
			endpoint = value
		case "worker":
			return "", "", false // the container's boot program has asked already
		}
	}
	return id, endpoint, id != "" && endpoint != ""
}

// boot works until the engine has no more to do.
func boot(ctx context.Context, id, endpoint string) error {
	if err := flag.CommandLine.Parse(nil); err != nil {
		return err
	}
	runtime.Init()
	ctx = grpcx.WriteWorkerID(ctx, id)
	info, err := tools.ProvisionInfo(ctx, endpoint)
	if err != nil {
		return err
	}
	logging, control := info.GetLoggingEndpoint().GetUrl(), info.GetControlEndpoint().GetUrl()
	if logging == "" || control == "" {
		return errors.New("the engine does not say where a worker is to ask for work")
	}
	return harness.MainWithOptions(ctx, logging, control, harness.Options{
		StatusEndpoint: info.GetStatusEndpoint().GetUrl(), RunnerCapabilities: info.GetRunnerCapabilities(),
	})
}
