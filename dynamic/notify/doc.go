// Package notify brings the register's events to those who asked for them. It
// takes events from the log by a cursor for each webhook, so that no delivery
// precedes the commit of its event and none is left out, and delivers them by
// Standard Webhooks (standardwebhooks.com, 1.0.0). Several processes share the
// endpoints of one store by leases: one endpoint is the business of one process
// at a time.
package notify
