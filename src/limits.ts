// Every safety bound, with its unit and its reason.

// Parser: what one block of Markdown may cost.
/** Characters of one Markdown block given to the parser. Longer blocks are scanned line by line: the parser is super-linear. */
export const BLOCK_CHARACTERS = 16_000;
/** Block quote and list markers at the start of one line. The parser needs 3.6 s for 25 KB of `>>>>`. */
export const BLOCK_NESTING = 12;
/** Columns of indentation before a list marker: nesting by indentation costs as much as nesting by markers. */
export const BLOCK_INDENTATION = 80;
/** Emphasis marks (* _ ~) in one block. The parser is quadratic here: 10 s for 25 KB of `*a_ ` (12,500 marks). */
export const BLOCK_EMPHASIS_MARKS = 400;
/** Opening brackets in one block. The parser needs 5 s for 100 KB of `[a](b`. */
export const BLOCK_BRACKETS = 400;
/** Unclosed opening brackets in one block. For each, the parser searches to the end of the block. 250 of them take 3 ms. */
export const BLOCK_UNCLOSED_BRACKETS = 64;
/** `[[` without a later `]]` in one block. The wiki-link extension needs 22 s for 32 KB of `[[a `. */
export const BLOCK_UNCLOSED_LINKS = 24;
/** Runs of backticks, `<` and `&` in one block: for each, the parser may search to the end of the block. */
export const BLOCK_OPENERS = 800;
/** Underlines of setext headings in one block. The parser needs 4.3 s for 25 KB of `a\n===\n`. */
export const BLOCK_UNDERLINES = 24;
/** Lines of one block given to the parser: the cost of lists and tables grows faster than their lines. */
export const BLOCK_LINES = 400;

// Texts, phrases and patterns.
/** Characters of one sentence. People write shorter ones; minified text and base64 are longer. */
export const SEGMENT_CHARACTERS = 2_000;
/** Characters of one source that are read as prose: a book of 300 pages, which fits into memory. Diagnostics count the rest. */
export const SOURCE_CHARACTERS = 800_000;
/** Code points of a text, reason or other field of an item. Longer values are cut. */
export const FIELD_CODE_POINTS = 500;
/** Code points of a pin. A pin is shown whole and first, so a longer one would leave no room for the rest. */
export const PIN_CODE_POINTS = 500;
/** Variants of one phrase in which groups are attached to words (`go[ing]`). */
export const PHRASE_VARIANTS = 64;
/** Instructions of a compiled phrase. Matching costs this number times the words of the sentence. */
export const PHRASE_INSTRUCTIONS = 2_000;
/** Nesting of groups in a phrase, and of fragments in fragments. */
export const PHRASE_DEPTH = 16;
/** Phrases and patterns of other packs. Built-in packs have about 700 and 140. Each is searched for in every sentence. */
export const PHRASES = 3_000;
export const PATTERNS = 300;
/** Characters of a pattern: re2js needs time proportional to its size times the length of the text. */
export const REGEX_CHARACTERS = 500;
/** Characters of a run of blanks, or of a run without blanks. Trying where patterns begin takes quadratic time in a run. */
export const RUN_CHARACTERS = 400;
/** Matches of one phrase or pattern in one text: each may cost as much as the whole text. */
export const SEGMENT_MATCHES = 200;

// Packs, configurations and templates.
/** Packs reached through `extends`. A longer chain is a mistake. */
export const PACKS = 64;
/** Bytes of a pack, a configuration or a template. */
export const PACK_BYTES = 1_000_000;
/** Nesting of maps and lists in a pack or a configuration. Built-in packs use a fifth of it. The reader is recursive. */
export const YAML_DEPTH = 64;
/** Aliases in a pack or a configuration: resolving each one walks over everything before it. */
export const YAML_ALIASES = 100;
/** Tokens of a pack or a configuration: composing them takes more than linear time. The largest built-in pack has 20,000. */
export const YAML_LEXEMES = 40_000;
/** Characters of all packs that a configuration reaches, without the built-in ones. */
export const PACKS_BYTES = 2_000_000;
/** Findings of one severity that one load reports: nobody fixes more at once, and each may search for a suggestion. */
export const FINDINGS = 100;
/** Nesting of sections in a template. Real templates use less than a quarter. Filling is recursive. */
export const TEMPLATE_DEPTH = 32;
/** Characters that filling a template may produce; each part costs a few more. Nesting a list in itself squares its output. A
 * conversation for a model has half a million. The rest is left out. */
export const FILLED_CHARACTERS = 20_000_000;
export const FILLED_PART_CHARACTERS = 20;
/** Pieces of a faulty pack that are read one by one to rescue its masks: more than the redactions of a team. */
export const SALVAGED_PIECES = 1_000;

// Reading sessions and tool calls.
/** Bytes of a session file. V8 cannot hold a string of more than about 512 MB. */
export const SESSION_BYTES = 500_000_000;
/** Characters at the start and the end of a tool's output that are always kept: they show how the call ended. */
export const OUTPUT_START_CHARACTERS = 300;
export const OUTPUT_END_CHARACTERS = 600;
/** Characters at the start of a tool's output that are searched for failure phrases. Only a shorter output can mean success. */
export const OUTPUT_CHARACTERS = 2_000;
/** Bytes per read of a file. */
export const CHUNK_BYTES = 262_144;
/** Bytes at the start of a file that decide whether it is binary. */
export const SNIFFED_BYTES = 8_192;
/** Nesting of lists and maps in a tool's input that are shortened, compared and shown. Real ones use less than a tenth. */
export const INPUT_DEPTH = 200;
/** Characters of a message, or of what one call writes, whose words are read: a file of about two hundred lines. */
export const DEED_CHARACTERS = 10_000;
/** Characters of a tool's output whose words are read: the start says what it is about. */
export const SEEN_CHARACTERS = 500;
/** Characters before a cut that are searched for a line end or a blank. No word is longer. */
export const CUT_SEARCH_CHARACTERS = 2_000;
/** Nesting of a damaged session that is read entry by entry. No session is nested as deep; each level costs memory per entry. */
export const SALVAGE_DEPTH = 200;
/** Characters of the newest typed messages that are searched for standing rules, in addition to what a compaction reads. */
export const TYPED_SESSION_CHARACTERS = 50_000;
/** Characters of the newest typed messages that are searched for what the user said without showing a text: half a second of work. */
export const TYPED_SEARCH_CHARACTERS = 200_000;
/** Characters of the output of a tool that asks the user, and its question-answer pairs: nobody answers more. */
export const ASKED_CHARACTERS = 20_000;
export const ASKED_PAIRS = 50;
/** Depth of the search for questions, options and their texts in a call. Hosts nest them less deeply. */
export const ANSWER_DEPTH = 8;
/** Characters of a command line that is parsed. A longer one contains data, and its effect is unknown. */
export const COMMAND_LINE_CHARACTERS = 100_000;
/** Substitutions and here-documents of a command line. The parser reads each of them again, with what is around it. */
export const COMMAND_SUBSTITUTIONS = 200;
/** Characters of the sentence of a guard. */
export const SAID_CODE_POINTS = 400;
/** Characters of all sentences of untrusted guards at one call, and in one session: two of the longest, and ten. A clone may bring
 * any number of guards, and each sentence takes room in the context that the user pays for. */
export const UNTRUSTED_CALL_CHARACTERS = 1_000;
export const UNTRUSTED_SESSION_CHARACTERS = 4_000;
/** Files of one call that guards look at: a command line may name thousands. */
export const GUARDED_FILES = 200;
/** Characters of a path. Real ones are shorter. */
export const PATH_CHARACTERS = 1_000;
/** Paths that are deleted, moved or taken back with their folders. Each may be, again and again. Real sessions do a thousandth. */
export const FOLDER_STEPS = 100_000;
/** Folders above a path that also identify it. Real paths are less deep. */
export const PATH_FOLDERS = 32;
/** Nesting of command lines (`bash -c`). People write less. */
export const COMMAND_DEPTH = 4;

// Notes and workflows of a project.
/** Characters of a project's notes that are read, newest entry first: old log entries say nothing about today. */
export const NOTES_CHARACTERS = 64_000;
/** Characters of one line of notes: longer lines are pasted data. */
export const LINE_CHARACTERS = 2_000;
/** Folders of a workflow that are read: a project with more work items does not keep them all in one place. */
export const WORK_ITEMS = 500;
/** Characters of all notes and artifacts of a project. The rest is not read. */
export const WORKSPACE_CHARACTERS = 800_000;
/** Folders that are listed to find a workflow's items: links that lead back up would make the search endless. */
export const LOOKED_FOLDERS = 2_000;
/** Characters of an artifact that are read: a few thousand tasks. The parser needs half a minute for a megabyte. */
export const ARTIFACT_CHARACTERS = 250_000;

// Hooks: a user waits for them.
/** Milliseconds after which a hook returns what is ready: a user is waiting. */
export const HOOK_MILLISECONDS = 3_000;
/** Characters of a session, and its newest tool calls, that are read even if time is up: about 50 milliseconds of work. */
export const LATE_CHARACTERS = 10_000;
export const LATE_CALLS = 100;
/** Milliseconds of one stretch of work, and of the pause between two: the host answers its user in the pause. */
export const STEP_MILLISECONDS = 20;
export const STEP_PAUSE_MILLISECONDS = 0;
/** Characters of one message that a hook reads, half at its start and half at its end: about 100 milliseconds of work. */
export const HOOK_MESSAGE_CHARACTERS = 100_000;
/** Characters that a hook may print: Claude Code cuts what is longer than ten thousand. */
export const HOOK_TEXT_CHARACTERS = 9_900;
/** The same deadline for a hook command, which starts a new process each time and has to read the session file. */
export const COMMAND_HOOK_MILLISECONDS = 7_000;
/** Bytes of a session file that a hook command reads, an eighth at its start: a second of work. A compaction comes after a few
 * megabytes, and what was said before is remembered from the compactions before it. */
export const HOOK_SESSION_BYTES = 16_000_000;
/** The same when a session ends, where agents wait for a second only: many times what is searched for the user's rules. */
export const END_SESSION_BYTES = 4_000_000;
/** The same if the time is up before these bytes are read. */
export const LATE_SESSION_BYTES = 1_000_000;
/** Milliseconds and bytes after which a hook stops reading its event: an agent writes a few kilobytes at once. */
export const EVENT_MILLISECONDS = 5_000;
export const EVENT_BYTES = 20_000_000;
/** Bytes at the end of a session that are read for what the user allowed, at first and at most: a tenth of a second, and one. */
export const NEWEST_BYTES = 500_000;
export const NEWEST_MOST_BYTES = 8_000_000;
/** Newest messages requested from a known session in addition to the new ones: enough to find its last question. */
export const HISTORY_TAIL = 40;
/** New messages after which a session is read ahead. Fewer are read quickly when the compaction comes. */
export const AHEAD_MESSAGES = 40;
/** Milliseconds of one slice of reading ahead: the host is blocked meanwhile. */
export const AHEAD_SLICE_MILLISECONDS = 16;
/** Sessions for which the position of reading ahead is remembered, and whether another session opened them. */
export const AHEAD_SESSIONS = 100;

// Memory of a process and stored files.
/** Bytes of a stored file that are read. The file of a large session has a hundredth of it. */
export const STATE_BYTES = 100_000_000;
/** Entries of each in-memory cache of texts: a long-lived process must not grow. */
export const REMEMBERED_TEXTS = 10_000;
/** Extracted sessions kept in memory: one before and after its compaction, and another one. */
export const REMEMBERED_SESSIONS = 3;
/** Characters of a session kept in memory, with tool output: a host that runs for days must not hold three huge ones. */
export const REMEMBERED_SESSION_CHARACTERS = 20_000_000;

// Summaries, models and frames.
/** Characters per token of prose. Real text seldom has more, so a longer text is over its budget. */
export const TOKEN_CHARACTERS = 4.5;
/** Lifecycle steps before one turn: twice a request and its compaction. A host that stores nothing would loop for ever. */
export const LIFECYCLE_STEPS = 4;
/** Added and removed lines that are counted exactly when two states of a file are compared: the cost is quadratic. */
export const DIFFERENCE_LINES = 2_000;
/** Characters of a summary that are audited, in about 200 milliseconds. A model writes a tenth of it. */
export const AUDIT_CHARACTERS = 100_000;
/** Characters of a summary that are stored with a session. A model writes a tenth of it. */
export const STORED_SUMMARY_CHARACTERS = 100_000;
/** Bytes of one line of `audit --cases`: the longest summary that is audited, with every character escaped. */
export const CASE_BYTES = 8_000_000;
/** Characters of a tool call's input, and of its output, that a model sees when it writes a summary. */
export const CALL_CHARACTERS = 2_000;
/** Characters of a model's answer. A summary has a few thousand; a model that repeats itself never ends. */
export const ANSWER_CHARACTERS = 400_000;
/** Bytes of the stream that carries an answer: about a hundred for each token. */
export const ANSWER_BYTES = 64_000_000;
/** Bytes of an endpoint's error response that are read. */
export const REFUSAL_BYTES = 64_000;
/** Milliseconds that a model may take in total, and without sending anything: a local model thinks for minutes. */
export const MODEL_MILLISECONDS = 900_000;
export const MODEL_IDLE_MILLISECONDS = 180_000;
/** Nesting of frames. Each waits for the one below it, and a model that only delegates would go on for ever. */
export const FRAME_DEPTH = 6;
/** Frames of one tree: more than a session needs. Their file is read before each request. */
export const FRAMES = 200;
/** Characters of a tool's input that are searched for paths: a patch or a command names its files there. */
export const NAMING_CHARACTERS = 20_000;

// Other programs, and what is shown.
/** Milliseconds between two updates of the progress line: more often only flickers. */
export const REFRESH_MILLISECONDS = 100;
/** Bytes of one name in a note's path. File systems allow 255; a number and the ending of the draft need room. */
export const NAME_BYTES = 200;
/** Milliseconds for the memory command. It answers within one; a slower one hangs. */
export const MEMORY_MILLISECONDS = 5_000;
/** Bytes of the payload for the memory command. It is one argument, and Linux allows 128 KiB per argument. */
export const MEMORY_PAYLOAD_BYTES = 100_000;
/** Bytes of the memory command's output that are kept. Its answer has a few hundred; the rest is read and discarded. */
export const MEMORY_OUTPUT_BYTES = 64_000;
/** Code points of another program's output that one of our messages quotes. */
export const QUOTED_CODE_POINTS = 200;
/** Nesting of lists and maps in a host's configuration. Real ones use less than a tenth. The reader is recursive. */
export const JSON_DEPTH = 100;
