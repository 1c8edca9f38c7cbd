package host

// CopilotReason says why nothing is registered with GitHub Copilot CLI. As of 1.0.45 it throws the output of a post-tool hook
// away, applies no matcher, and honours no pre-tool hook: an entry would start a process at every tool call and say nothing.
const CopilotReason = "nothing is registered: Copilot CLI drops what a post-tool hook answers, applies no matcher and has no pre-tool hook (seen with 1.0.45)"
