// Package bucket is where sites are published to: an object store or a directory.
package bucket
