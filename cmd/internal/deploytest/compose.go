package deploytest

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// Compose is a file of Docker Compose, with all its profiles.
type Compose struct {
	project *types.Project
}

// ReadCompose reads a file as `docker compose` does, with the variables that
// stand in its .env file.
func ReadCompose(ctx context.Context, path string, variables map[string]string) (*Compose, error) {
	details := types.ConfigDetails{WorkingDir: filepath.Dir(path), Environment: variables, ConfigFiles: []types.ConfigFile{{Filename: path}}}
	project, err := loader.LoadWithContext(ctx, details, func(o *loader.Options) { o.Profiles = []string{"*"} })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Compose{project}, nil
}

// Services are the names of all services, sorted.
func (c *Compose) Services() []string { return slices.Sorted(maps.Keys(c.project.Services)) }

// Service is one service of the file.
func (c *Compose) Service(name string) (types.ServiceConfig, error) {
	s, found := c.project.Services[name]
	if !found {
		return s, fmt.Errorf("no service %s, only %v", name, c.Services())
	}
	return s, nil
}

// Volumes are the names of the volumes that the file declares, sorted.
func (c *Compose) Volumes() []string { return slices.Sorted(maps.Keys(c.project.Volumes)) }

// Image is what the image of a service says where its compose file is silent.
type Image struct {
	Entrypoint, Command []string
	// Env are the variables of the image, NAME=VALUE.
	Env []string
	Dir string
}

// arguments are the program and the arguments of a service: an entrypoint of
// its own leaves out the image's command, too.
func arguments(s *types.ServiceConfig, image Image) []string {
	entry, command := []string(s.Entrypoint), []string(s.Command)
	if entry == nil {
		entry = image.Entrypoint
		if command == nil {
			command = image.Command
		}
	}
	return slices.Concat(entry, command)
}

// variables are those of the image and over them those of the service.
func variables(s *types.ServiceConfig, image Image) []string {
	list := slices.Clone(image.Env)
	for _, name := range slices.Sorted(maps.Keys(s.Environment)) {
		if value := s.Environment[name]; value != nil {
			list = append(list, name+"="+*value)
		}
	}
	return list
}
