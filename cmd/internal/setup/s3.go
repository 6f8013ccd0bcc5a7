package setup

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// S3 says where an object store is. Empty fields are taken from the variables
// that the tools of Amazon read.
type S3 struct {
	Endpoint, Region string
	PathStyle        bool
}

// roleTime bounds the question for the role of the machine, in a network that
// may swallow it.
const roleTime = 2 * time.Second

// Client opens the object store. Credentials come from the environment, the
// files of the Amazon tools, or the role of the machine; they are never logged.
func (s S3) Client(version string) (*minio.Client, error) {
	endpoint := cmp.Or(s.Endpoint, os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), "https://s3.amazonaws.com")
	host, plain := strings.CutPrefix(endpoint, "http://")
	host = strings.TrimSuffix(strings.TrimPrefix(host, "https://"), "/")
	lookup := minio.BucketLookupAuto
	if s.PathStyle {
		lookup = minio.BucketLookupPath
	}
	chain := credentials.NewChainCredentials([]credentials.Provider{
		&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{Client: &http.Client{Timeout: roleTime}},
	})
	if v, err := chain.GetWithContext(nil); err != nil || v.AccessKeyID == "" {
		return nil, fmt.Errorf("no credentials for the object store: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE")
	}
	client, err := minio.New(host, &minio.Options{Creds: chain, Secure: !plain, BucketLookup: lookup,
		Region: cmp.Or(s.Region, os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"), "us-east-1")})
	if err != nil {
		return nil, fmt.Errorf("--s3-endpoint %s: %w", endpoint, err)
	}
	client.SetAppInfo("Assay", version)
	return client, nil
}
