// Runtime-agnostic.

/** What `--help` prints. */
export const USAGE = `Usage: read [OPTION]... PATH[:LINES]...

Prints files, or lines of them. A path is taken from the current directory, or
from --workspace, and cannot lead out of it.

  PATH                  all of it
  PATH:120              line 120
  PATH:120-150          lines 120 to 150
  PATH:120-             line 120 and all after it
  PATH:-20              the last 20 lines
  PATH:120+10           line 120, and 10 lines before and after it
  PATH:                 all of a file whose name ends like the above: odd:7:
  ./-PATH               a file whose name begins with a dash

Of every PATH without LINES:
  --head N              the first N lines
  --tail N              the last N lines
  --indent LINE         the block that LINE belongs to, by its indentation
    --levels N          climb N levels of it; all of them with 0, the default

What is read:
  --workspace DIR       the directory that bounds the reading; . by default
  --deny GLOB           do not read what matches; may be said again
  --max-bytes N         show at most N bytes of each file, in whole lines if one
                        fits; how to go on is said on standard error
  --column N            begin at character N of the first line

How it is shown:
  --json                pages as JSON, one a line; "base64" has the bytes where
                        the texts are not exact
  --numbers             number the lines in a pipe too
  --no-numbers          number no lines
  --color               color the syntax on a terminal, by highlight.js
  --stats               say on standard error how much was read, how long
  --as COMMAND          what to call this program where it says how to go on

What a model gets:
  --tool NAME           call a tool: codex, toolkit, forge or open
    --args JSON         with what a model would send
    --config FILE       and the limits of forge, in TOML; FILE in the workspace
  --definitions API     print the tools for openai, anthropic or mcp; all but
                        codex, or those that --tool names

  -h, --help            print this
  --version             print the version

A terminal gets numbers, and sees what is hidden as \\u{1B}. A pipe gets the very
bytes. NO_COLOR is obeyed, whatever else is said.

Exits with
  0  if all went well, also if no one read the output to its end
  1  if something could not be read or written; the rest is printed all the same
  2  if the command line is wrong
`;

/** What is said below a mistake. */
export const USAGE_HINT =
  "Usage: read [OPTION]... PATH[:LINES]...; --help says more\n";
