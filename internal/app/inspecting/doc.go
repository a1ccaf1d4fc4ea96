// Package inspecting is the command inspect, which describes a cascade.
package inspecting
