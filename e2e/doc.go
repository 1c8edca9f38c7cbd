// Package e2e drives the built program: with the real client against a scripted API (client_test.go, scenarios/), and as
// the Windows build under Wine (windows_test.go). Each part is skipped with one clear line where its tool is missing.
package e2e
