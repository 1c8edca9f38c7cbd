// Package exit is the one table of viber's exit codes and the error that carries one.
//
// The scripts of the run lifecycle and the gates keep the codes of their own contracts; they use Status directly.
package exit

import "errors"

// The exit codes of viber's commands.
const (
	OK          = 0 // done
	Failed      = 1 // the command failed
	Usage       = 2 // the command line is wrong, or needs an answer that nobody can give here
	Refused     = 3 // the input is not what viber may change; nothing changed
	Cancelled   = 4 // the user said no
	WouldChange = 5 // --check found something to do
)

// Error is an error with the exit code the program ends with.
// Err may be nil when everything was already said on stdout.
type Error struct {
	Code int
	Err  error
}

// Error returns the message, empty when there is nothing left to say.
func (e *Error) Error() string {
	if e.Err == nil {
		return ""
	}
	return e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// With gives err the exit code code.
func With(code int, err error) error { return &Error{Code: code, Err: err} }

// Status ends the program with code and no message.
func Status(code int) error {
	if code == OK {
		return nil
	}
	return &Error{Code: code}
}

// Code returns the exit code err stands for: 0 for nil, 1 for an error without one.
func Code(err error) int {
	if err == nil {
		return OK
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Failed
}
