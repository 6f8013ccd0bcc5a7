// Command example lists the first entries of a register: go run ./example https://register.example
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	assay "github.com/assay-register/assay-go"
)

func main() {
	client, err := assay.NewClientWithResponses(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	answer, err := client.ListEntriesWithResponse(context.Background(), &assay.ListEntriesParams{})
	if err != nil {
		log.Fatal(err)
	}
	if answer.JSON200 == nil {
		log.Fatalf("%s: %s", answer.Status(), answer.Body)
	}
	for _, entry := range answer.JSON200.Items[:3] {
		fmt.Println(entry.Slug, entry.Type, entry.MqaScore)
	}
}
