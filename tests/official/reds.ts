/** The scenarios of the official suite that are red, and why. Whatever else is red fails the task, and so does an entry that is green. */

const NO_RESOURCES = "the server has no resources";
const NO_PROMPTS = "the server has no prompts";
const NO_SAMPLING = "the server asks no model and no user";
const NO_TASKS = "the server has no tasks: an extension, not scored";
const NO_LOGS = "the server has no log messages for clients";
const NOT_TEXT = "no file is shown as such content: a fixture of the suite";
const FIXTURE = "a tool of the suite's own server";
const HTTP =
  "headers of HTTP, which only the bridge of the tests reads; pending, not scored";

/** Why the scenarios with these names are red, in every run that has them. */
export const REDS: Readonly<Record<string, string>> = {
  "completion-complete": "the server completes no arguments",
  "logging-set-level": NO_LOGS,
  "tools-call-with-logging": NO_LOGS,
  "tools-call-audio": NOT_TEXT,
  "tools-call-embedded-resource": NOT_TEXT,
  "tools-call-mixed-content": NOT_TEXT,
  "tools-call-sampling": NO_SAMPLING,
  "tools-call-elicitation": NO_SAMPLING,
  "elicitation-sep1034-defaults": NO_SAMPLING,
  "elicitation-sep1330-enums": NO_SAMPLING,
  "resources-list": NO_RESOURCES,
  "resources-read-text": NO_RESOURCES,
  "resources-read-binary": NO_RESOURCES,
  "resources-templates-read": NO_RESOURCES,
  "resources-subscribe": NO_RESOURCES,
  "resources-unsubscribe": NO_RESOURCES,
  "prompts-list": NO_PROMPTS,
  "prompts-get-simple": NO_PROMPTS,
  "prompts-get-with-args": NO_PROMPTS,
  "prompts-get-embedded-resource": NO_PROMPTS,
  "prompts-get-with-image": NO_PROMPTS,
  "json-schema-2020-12": FIXTURE,
  "input-required-result-basic-elicitation": NO_SAMPLING,
  "input-required-result-basic-sampling": NO_SAMPLING,
  "input-required-result-request-state": FIXTURE,
  "input-required-result-multiple-input-requests": FIXTURE,
  "input-required-result-multi-round": FIXTURE,
  "input-required-result-non-tool-request": NO_PROMPTS,
  "input-required-result-result-type": FIXTURE,
  "input-required-result-tampered-state": FIXTURE,
  "input-required-result-capability-check": FIXTURE,
  "tasks-lifecycle": NO_TASKS,
  "tasks-capability-negotiation": NO_TASKS,
  "tasks-wire-fields": NO_TASKS,
  "tasks-request-state-removal": NO_TASKS,
  "tasks-mrtr-input": NO_TASKS,
  "tasks-request-headers": NO_TASKS,
  "tasks-dispatch-and-envelope": NO_TASKS,
  "tasks-required-task-error": NO_TASKS,
  "tasks-mrtr-composition": NO_TASKS,
  "http-header-validation": HTTP,
  "http-custom-header-server-validation": HTTP,
};

/** Scenarios of which only these checks are red, and why. */
export const RED_CHECKS: Readonly<
  Record<string, Readonly<Record<string, string>>>
> = {
  "server-stateless": {
    "sep-2575-server-rejects-undeclared-capability": FIXTURE,
    "sep-2575-missing-capability-http-400": FIXTURE,
    "sep-2575-http-server-no-independent-requests-on-stream": FIXTURE,
    "sep-2575-server-no-log-without-loglevel": FIXTURE,
  },
  "caching": {
    "sep-2549-prompts-list-caching-hints": NO_PROMPTS,
    "sep-2549-resources-list-caching-hints": NO_RESOURCES,
    "sep-2549-resources-templates-list-caching-hints": NO_RESOURCES,
  },
};
