// Package storage reads pictures from stores of objects, and keeps the shards of
// package shard there: s3://BUCKET/KEY, gs://BUCKET/KEY, file:///PATH and plain paths.
//
// An object is put whole or not at all, so that there is no other name that it has
// first. It is written to a temporary file on this machine, put, and asked for.
//
// Keys and the place of the store come from where the AWS programs take them:
// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, ~/.aws/credentials, the
// role of the machine; AWS_REGION, and AWS_ENDPOINT_URL for other stores than Amazon's.
// Google's takes the same with an HMAC key; its endpoint is GS_ENDPOINT_URL, or
// Google's own.
package storage
