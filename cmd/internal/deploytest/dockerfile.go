package deploytest

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// ReadImage reads what the last stage of a Dockerfile says of the image:
// ENTRYPOINT and CMD in their JSON form, ENV as NAME=VALUE, WORKDIR.
func ReadImage(path string) (Image, error) {
	var image Image
	text, err := os.ReadFile(path)
	if err != nil {
		return image, err
	}
	for line := range strings.Lines(strings.ReplaceAll(string(text), "\\\n", " ")) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "FROM":
			image = Image{}
		case "ENV":
			image.Env = append(image.Env, strings.Fields(rest)...)
		case "WORKDIR":
			image.Dir = rest
		case "ENTRYPOINT":
			err = json.Unmarshal([]byte(rest), &image.Entrypoint)
		case "CMD":
			err = json.Unmarshal([]byte(rest), &image.Command)
		}
		if err != nil {
			return image, fmt.Errorf("%s: %s: %w", path, strings.TrimSpace(line), err)
		}
	}
	return image, nil
}
