package wire

import "reflect"

// HealthStatus is the state of the service or of one of its components.
type HealthStatus string

// Health states. A service is degraded while a component is down and it
// answers all the same; a component that it does without is off.
const (
	HealthOK       HealthStatus = "ok"
	HealthDegraded HealthStatus = "degraded"
	HealthDown     HealthStatus = "down"
	HealthOff      HealthStatus = "off"
)

// HealthStatuses lists the health states.
func HealthStatuses() []HealthStatus {
	return []HealthStatus{HealthOK, HealthDegraded, HealthDown, HealthOff}
}

// HealthDetails is the answer of /health/detailed.
type HealthDetails struct {
	Status     HealthStatus      `json:"status"`
	Snapshot   string            `json:"snapshot"`
	CheckedAt  string            `json:"checked_at"`
	Components []HealthComponent `json:"components"`
}

// HealthComponent is one component of the service.
type HealthComponent struct {
	Name   string       `json:"name"`
	Status HealthStatus `json:"status"`
	Detail string       `json:"detail"`
	// TookMS is how many milliseconds it took to look.
	TookMS int64 `json:"took_ms"`
}

func healthDetails() Operation {
	return Operation{ID: "getHealthDetails", Path: "/health/detailed", Tag: TagHealth, Summary: "Detailed health check",
		Description: "The state of each component. 200 while the service answers from a snapshot, also when it is degraded; 503 while it has none.",
		Response:    reflect.TypeFor[HealthDetails](), Media: MediaJSON, Problems: []int{422, 503}, Cache: CacheNever}
}
