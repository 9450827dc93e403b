// Every bound, with its unit and its reason.

/** Characters of one markdown block handed to the parser. Longer ones are scanned line by line: the parser is super-linear. */
export const BLOCK_CHARACTERS = 16_000;

/** Characters, and number, of neighbouring blocks that are parsed in one go: the parser slows down on more. */
export const PORTION_CHARACTERS = 8_000;
export const PORTION_BLOCKS = 40;

/** Blocks that are looked at for definitions that the rest of a text may refer to: each is parsed for it. */
export const DEFINING_BLOCKS = 40;

/** Characters before and behind a full stop in which quotation marks around it are looked for: what is longer is no quotation. */
export const QUOTED_CHARACTERS = 240;

/** Characters in which the third number follows the second where somebody counts on one line: short answers, no prose. */
export const COUNTED_CHARACTERS = 240;

/** Characters of a reply in which the second of several answers stands: one that comes later is no answer but a text. */
export const ANSWERED_CHARACTERS = 1_000;

/** Block quote and list markers at the start of one line. `>>>>` of 25 KB takes the parser 3.6 s. */
export const BLOCK_NESTING = 12;

/** Columns of indentation before a list marker: nesting by indentation costs like nesting by markers. */
export const BLOCK_INDENTATION = 80;

/** Emphasis marks (* _ ~) in one block. `*a_ ` of 25 KB (12,500 marks) takes the parser 10 s, quadratically. */
export const BLOCK_EMPHASIS_MARKS = 400;

/** Opening brackets in one block. `[a](b` of 100 KB takes the parser 5 s. */
export const BLOCK_BRACKETS = 400;

/** Opening brackets that nothing closes in one block: for each the parser looks to the end. 250 of them take 3 ms. */
export const BLOCK_UNCLOSED_BRACKETS = 64;

/** Opening `[[` without a `]]` behind it in one block. `[[a ` of 32 KB takes the wiki-link extension 22 s. */
export const BLOCK_UNCLOSED_LINKS = 24;

/** Runs of backticks, `<` and `&` in one block: each may start a construct that is searched for to the block's end. */
export const BLOCK_OPENERS = 800;

/** Underlines of setext headings in one block. `a\n===\n` of 25 KB takes the parser 4.3 s. */
export const BLOCK_UNDERLINES = 24;

/** Lines of one block handed to the parser: lists and tables cost more than linearly in their lines. */
export const BLOCK_LINES = 400;

/** Characters of one sentence. Nothing a person says is longer; minified text and base64 are. */
export const SEGMENT_CHARACTERS = 2_000;

/** Characters of a program on a command line that are looked at for the files it writes. What is longer is data. */
export const CODE_CHARACTERS = 200_000;

/** Characters of one source that are read as prose; the rest is counted in diagnostics. It is a book of 300 pages, and what is known of its texts fits into memory. */
export const SOURCE_CHARACTERS = 800_000;

/** Code points of a text, reason or other field of an item. Longer ones are cut. */
export const FIELD_CODE_POINTS = 500;

/** Code points of a pin. It is shown whole and before everything else: a longer one would leave no room for the rest. */
export const PIN_CODE_POINTS = 500;

/** Code points of a concept after normalising (S0-7). Longer ones are dropped. */
export const CONCEPT_CODE_POINTS = 100;

/** Ways in which one phrase may be written out where groups are glued to words (`go[ing]`). */
export const PHRASE_VARIANTS = 64;

/** Instructions of a compiled phrase: matching costs this times the words of the sentence. */
export const PHRASE_INSTRUCTIONS = 2_000;

/** Groups inside groups in a phrase, and fragments inside fragments. */
export const PHRASE_DEPTH = 16;

/** Phrases and patterns of packs beside the built-in ones, which have some 700 and 140: each is looked for in every sentence. */
export const PHRASES = 3_000;
export const PATTERNS = 300;

/** Characters of a pattern: re2js runs in its size times the length of the text. */
export const REGEX_CHARACTERS = 500;

/** Steps that an expression of the engine's own may take on a text: a few milliseconds. Bun's gives up after some more. */
export const NATIVE_STEPS = 1_000_000;

/** Ways in which such a pattern can be tried at one place: with RE2's time for the same text, they cost about as much. */
export const NATIVE_WAYS = 256;

/** Characters of a run without a blank, or of blanks: trying how patterns begin costs each of them as much again. */
export const RUN_CHARACTERS = 400;

/** Characters before and behind what seems to be a secret, in which it may be told to be none: the longest names of settings. */
export const PLAIN_CHARACTERS = 100;

/** Packs reached through `extends`: a chain this long is a mistake. */
export const PACKS = 64;

/** Bytes of a pack, a configuration or a template. */
export const PACK_BYTES = 1_000_000;

/** Maps and lists inside of one another in a pack or a configuration: ours have a fifth of it, and what reads them recurses. */
export const YAML_DEPTH = 64;

/** Aliases in one: each costs time with all that stands before it. */
export const YAML_ALIASES = 100;

/** Marks and words of a pack or a configuration: making values of them takes more than linear time. The largest built-in pack has 20,000. */
export const YAML_LEXEMES = 40_000;

/** Bytes of all packs that a configuration reaches, beside the built-in ones. */
export const PACKS_BYTES = 2_000_000;

/** Findings of a severity that are told of one load: nobody mends more at once, and each may look for what was meant. */
export const FINDINGS = 100;

/** Names among which the one that was meant is looked for: each is compared letter by letter. */
export const SUGGESTED_FROM = 2_000;

/** Sections of a template inside of one another: nobody nests a quarter as deep, and filling recurses. */
export const TEMPLATE_DEPTH = 32;

/**
 * Characters that a template is filled with, where each part counts as some: a list inside of itself is the square of it.
 * A conversation for a model has half a million; what is beyond is left out.
 */
export const FILLED_CHARACTERS = 20_000_000;
export const FILLED_PART_CHARACTERS = 20;

/** Pieces of a faulty pack that are read one by one for what must count all the same: more than a team has redactions. */
export const SALVAGED_PIECES = 1_000;

/** Bytes of a file that may be a copy of the plugin, which has two million. */
export const COPY_BYTES = 10_000_000;

/** Bytes of a session file. V8 cannot hold a string of more than about 512 MB. */
export const SESSION_BYTES = 500_000_000;

/** Characters at the beginning and the end of a tool's output that are kept where nothing needs more: readers and packs tell there how it ended. */
export const OUTPUT_START_CHARACTERS = 300;
export const OUTPUT_END_CHARACTERS = 600;

/** Characters at the end of a tool's output in which a job tells that it failed: its summary, and what the program that ran it says below. No more than are kept. */
export const BROKE_CHARACTERS = OUTPUT_END_CHARACTERS;

/** Characters at the beginning of a tool's output in which a pack's phrases of failure are looked for; what passed is told only by a shorter one. */
export const OUTPUT_CHARACTERS = 2_000;

/** Bytes of a file that are read at once. */
export const CHUNK_BYTES = 262_144;

/** Names that {a,b} in one pattern of file names may stand for. */
export const GLOB_ALTERNATIVES = 1_000;

/** Bytes of sessions that `run` reads by itself before it starts workers: starting one costs as much as reading some megabyte. */
export const ALONE_BYTES = 2_000_000;

/** Bytes of a session file that is read with a small heap: what smaller ones take beyond what they hold is not worth the time. */
export const LARGE_SESSION_BYTES = 16_000_000;

/** Percent by which a small heap may grow before garbage is collected. V8's own choice is a hundred and more. */
export const HEAP_GROWTH_PERCENT = 5;

/** Sessions that are under way at once for each worker: one that is read, one that waits. */
export const SESSIONS_AHEAD = 2;

/** Bytes that are asked of standard input at once, and milliseconds to wait when it has none yet. */
export const INPUT_BYTES = 65_536;
export const INPUT_MILLISECONDS = 5;

/** Bytes at the start of a file that are looked at to tell a binary file. */
export const SNIFFED_BYTES = 8_192;

/** Milliseconds of work after which `run` shows a progress line on a terminal. */
export const PROGRESS_MILLISECONDS = 1_000;

/** Milliseconds between two states of the progress line: more often only flickers. */
export const REFRESH_MILLISECONDS = 100;

/** Characters of a statement in a brief, with the two that mark a cut; longer ones are cut at the end of a clause near it. */
export const STATEMENT_CHARACTERS = 142;

/** Texts of a message in which its aim is looked for: who has not said by then what is wanted tells a story, or shows a document. */
export const AIM_TEXTS = 12;

/** Characters of an aim in several sentences: a brief shows no more of it, and the rest says why. */
export const AIM_CHARACTERS = 300;

/** Characters of a restriction ("unless …") that a cut leaves at most: enough to know what it restricts. */
export const RESTRICTION_CHARACTERS = 60;

/** What a lead-in is joined to: a first item, however long, and more while all are as short as this. */
export const LED_CHARACTERS = 120;

/** Characters of a token of prose: what models read is seldom longer, so a text of more is over its budget. */
export const TOKEN_CHARACTERS = 4.5;

/** Characters of a command in a brief: enough to know it again. */
export const COMMAND_CHARACTERS = 82;

/** Statements that a brief is composed from; the lightest beyond this many are not looked at. */
export const STATEMENTS = 4_000;

/** Statements of the user, the newest, among which updates are looked for: more than anybody says in one session. */
export const UPDATED_STATEMENTS = 5_000;

/** Days after which what is stored of a session and not written again is removed: by then hardly anybody goes on with it. */
export const STATE_DAYS = 90;

/** Bytes of a stored file that are read: a large session's has a hundredth of it. */
export const STATE_BYTES = 100_000_000;

/** Milliseconds after which the same holder of a lock is held dead: reading, merging and writing take a hundredth of it. */
export const LOCK_MILLISECONDS = 1_000;

/** Milliseconds that a process waits for a lock in all: within a hook's deadline. */
export const LOCK_WAIT_MILLISECONDS = 2_500;

/** Milliseconds between two tries for a lock, give or take a half: about as long as one change takes. */
export const LOCK_PAUSE_MILLISECONDS = 4;

/** Times that a change begins anew because its lock was taken over: once is a process that slept, thrice is a fault. */
export const LOCK_TRIES = 3;

/** Milliseconds after which what a killed process left beside a stored file is removed: no change takes so long. */
export const LEFTOVER_MILLISECONDS = 3_600_000;

/** Texts for which something is remembered, for each thing that is: a long-lived process must not grow. */
export const REMEMBERED_TEXTS = 10_000;

/** Characters of a text for which something is remembered: longer ones do not come again, and would fill the memory. */
export const REMEMBERED_CHARACTERS = 1_000;

/** Entries of a todo list. Nobody plans with more; a tool that is no todo list may hold them. */
export const TODOS = 200;

/** Characters of a project's notes that are read, from the newest entry on: older entries of a log say nothing of today. */
export const NOTES_CHARACTERS = 64_000;

/** Entries of a log that are read, from the newest on: a week's work, of which a continuation shows a handful of lines. */
export const NOTES_ENTRIES = 20;

/** Lines that may begin an entry, at either end of a log, that are looked at. */
export const HEADS_TRIED = 200;

/** Characters of one line of notes: longer ones are data that somebody pasted. */
export const LINE_CHARACTERS = 2_000;

/** Folders of a workflow that are looked at: a project with more work items does not keep them all in one place. */
export const WORK_ITEMS = 500;

/** Characters of all notes and artifacts of a project: what comes after them is not read. */
export const WORKSPACE_CHARACTERS = 800_000;

/** Folders that are listed in search of a workflow's items: with links that lead back up there is no end to them. */
export const LOOKED_FOLDERS = 2_000;

/** Matches of one phrase or pattern in one text: each may cost as much as the whole text, and nobody names more. */
export const SEGMENT_MATCHES = 200;

/** Steps of a lifecycle before one turn: a request and its compaction, twice. A host that stores nothing would go on for ever. */
export const LIFECYCLE_STEPS = 4;

/** Lines put in or taken out that are counted exactly when two states of a file are compared: the cost grows with their square. */
export const DIFFERENCE_LINES = 2_000;

/** Words of one sentence of a summary. Longer ones, such as a line without stops, are cut for comparing. */
export const AUDIT_SENTENCE_WORDS = 160;

/** Places of a summary that are compared with one fact: those that share most of its words. */
export const AUDIT_PLACES = 8;

/** Share of a fact's content words below which a sentence is not looked at: it could prove nothing, for or against. */
export const AUDIT_SHARE = 0.4;

/** Words of a fact that are compared; longer ones are only looked for as a whole. */
export const AUDIT_FACT_WORDS = 160;

/** Characters of a summary that are looked at, in some 200 milliseconds. A model writes a tenth of it. */
export const AUDIT_CHARACTERS = 100_000;

/** Statements that are compared with a summary: those that a block of facts could hold, several times over. */
export const AUDIT_STATEMENTS = 120;

/** Characters of a summary that are stored with a session. A model writes a tenth of it. */
export const STORED_SUMMARY_CHARACTERS = 100_000;

/** Statements that are stored with a session: more than any block can hold. */
export const STORED_STATEMENTS = 400;

/** Milliseconds after which a hook hands over what is ready: a user waits for it. */
export const HOOK_MILLISECONDS = 3_000;

/** Milliseconds of a host's time at a stretch, and between two stretches: it answers its user meanwhile. */
export const STEP_MILLISECONDS = 20;
export const STEP_PAUSE_MILLISECONDS = 0;

/**
 * Characters of one message that a hook reads, half of them at its beginning and half at its end. Reading as many takes about
 * 100 milliseconds, in which the host does nothing else. Nobody types as much; what is longer was pasted.
 */
export const HOOK_MESSAGE_CHARACTERS = 100_000;

/** The same for a command that an agent runs, which starts anew each time and has to read the session's file. */
export const COMMAND_HOOK_MILLISECONDS = 7_000;

/** Seconds after which the agent ends it: what is behind the reading takes some more on a busy machine. */
export const COMMAND_HOOK_SECONDS = 20;

/** Milliseconds and bytes after which no more of a hook's event is read: an agent writes a few kilobytes at once. */
export const EVENT_MILLISECONDS = 5_000;
export const EVENT_BYTES = 20_000_000;

/** Tokens of what a context is told behind a compaction: agents take ten thousand characters from a hook. */
export const REMINDER_TOKENS = 1_400;

/** Share of a hook's time in which the host must have given the messages: what is left is enough to tell what is remembered. */
export const MESSAGES_SHARE = 0.7;

/** Times a hook's time after which it gives up: reading ends in time, and what was read is put together behind that. */
export const COMPLETION_SHARE = 2;

/** Newest messages that are asked for, beside the new ones, of a session that was read before: enough to find its last question. */
export const HISTORY_TAIL = 40;

/** New messages after which a session is read ahead: fewer are quickly read when the compaction comes. */
export const AHEAD_MESSAGES = 40;
/** Milliseconds of reading ahead at a time, and of leaving the host alone in between: nobody notices either. */
export const AHEAD_SLICE_MILLISECONDS = 16;
export const AHEAD_PAUSE_MILLISECONDS = 2;
/** Sessions of which it is remembered how far they were read ahead, and whether another one opened them. */
export const AHEAD_SESSIONS = 100;

/** Characters of an artifact that are read: a list of some thousand tasks. Reading one of a megabyte takes the parser half a minute. */
export const ARTIFACT_CHARACTERS = 250_000;

/** Rules of a project that are remembered over sessions, the youngest of them. */
export const STANDING_RULES = 40;

/** Bytes of one name of a note's path. File systems take 255; a number behind it and the draft's ending need room. */
export const NAME_BYTES = 200;

/** Notes of one session on one day: a session that is compacted more often than this is in a loop. */
export const NOTE_FILES = 1_000;

/** Milliseconds that the memory command may take (S0-33). It answers within one; what takes longer hangs. */
export const MEMORY_MILLISECONDS = 5_000;

/** Bytes of what the memory command is given. It is one argument, and Linux takes 128 KiB for each. */
export const MEMORY_PAYLOAD_BYTES = 100_000;

/** Bytes of what the memory command prints that are kept. Its answer has some hundred; the rest is read and dropped. */
export const MEMORY_OUTPUT_BYTES = 64_000;

/** Milliseconds between asking a child to end and ending it, and for its pipes to end once it has: time to close a file. */
export const CHILD_GRACE_MILLISECONDS = 250;

/** Code points of another program's words in a message of ours. */
export const QUOTED_CODE_POINTS = 200;

/** Lists and maps inside of one another in a host's configuration. Nobody nests a tenth as deep, and the reader recurses. */
export const JSON_DEPTH = 100;

/** Lists and maps inside of one another in a tool's input that are shortened, compared and told: nobody nests a tenth as deep. */
export const INPUT_DEPTH = 200;

/** Characters of texts whose words, and what these say, are kept in memory, at some forty bytes for each: a long session's. */
export const MEMO_CHARACTERS = 1_000_000;

/** Texts of one message that are each looked at before all are: what is known of more would be forgotten meanwhile. */
export const MEMO_SUBJECTS = 10_000;

/** Characters of texts whose segments are kept in memory: a long session, at some twenty bytes for each. */
export const CACHED_CHARACTERS = 2_000_000;

/** Readings of sessions that are remembered with what was found in them: of one before and after a compaction, and of another. */
export const REMEMBERED_SESSIONS = 3;

/** Characters of a session that is remembered so, tool output and all: a host that runs for days must not hold three huge ones. */
export const REMEMBERED_SESSION_CHARACTERS = 20_000_000;

/** Characters of prose from which a session's finds are stored: less is read about as fast as a file is found and opened. */
export const STORED_FINDS_CHARACTERS = 100_000;

/** Bytes of the stored finds of sessions that begin alike: those of thirty thousand messages, read in a fifth of a second. */
export const FINDS_FILE_BYTES = 16_000_000;

/** Bytes of all stored finds: a month's sessions. The files that were not written for longest go first. */
export const FINDS_BYTES = 128_000_000;

/** Stored finds that a host that runs on holds open: mostly one session is at work, and sometimes another one below it. */
export const RESIDENT_STORES = 2;

/** Characters of finds that are held back to be written in one go, and of one line: what is lost when it is damaged. */
export const FINDS_BATCH_CHARACTERS = 500_000;
export const FINDS_LINE_CHARACTERS = 50_000;

/** Characters of one line of `audit --cases`: a summary as long as is looked at, with every character escaped. */
export const CASE_CHARACTERS = 8_000_000;

/** Texts with one term, the newest, that may take an item back: each is compared with each item of that term. */
export const TURNS_OF_TERM = 32;

/** Facts before a later word of the user, the nearest, that it may set anew: who changes a thing has it in mind. */
export const RENEWED_BACK = 64;

/** Facts before a later word, the nearest, that are looked at for it, whether they still stand or not. */
export const FACTS_BACK = 500;

/** Messages after a sentence whose calls may carry out what it says, and before it whose calls may have written it. */
export const DEED_MESSAGES = 10;

/** Messages before a sentence whose tool output it may describe. */
export const SEEN_MESSAGES = 5;

/** Calls that are looked at for one sentence, the nearest: a host may put hundreds into one message. */
export const DEED_CALLS = 40;

/** Characters of what one call writes, and of a message, whose words are looked at: a file of some two hundred lines. */
export const DEED_CHARACTERS = 10_000;

/** Values of what one call is given that are looked at: a list of numbers has as many, and no text. */
export const DEED_VALUES = 100_000;

/** Characters of what tools wrote and printed whose words are kept in memory: of twice the calls that one sentence looks at. */
export const TERM_CHARACTERS = 1_000_000;

/** Characters of a tool's output whose words are looked at: what it is about stands at the beginning. */
export const SEEN_CHARACTERS = 500;

/** Characters of a fact that are shown in its line, so that the reasons stand below each other. */
export const SHOWN_CHARACTERS = 72;

/** Characters of one message, and of what one tool call was given or gave, that a model is shown for a summary. */
export const TURN_CHARACTERS = 20_000;
export const CALL_CHARACTERS = 2_000;

/** Characters of a model's answer. A summary has some thousand; a model that repeats itself has no end. */
export const ANSWER_CHARACTERS = 400_000;

/** Bytes of the stream that carries it: some hundred for each piece of a word. */
export const ANSWER_BYTES = 64_000_000;

/** Bytes of an endpoint's refusal that are read. */
export const REFUSAL_BYTES = 64_000;

/** Milliseconds that a model may take in all, and without a sign of life: one that runs at home thinks for minutes. */
export const MODEL_MILLISECONDS = 900_000;
export const MODEL_IDLE_MILLISECONDS = 180_000;

/** Milliseconds that a timer of the runtime can be set to: one of more rings at once. */
export const TIMER_MILLISECONDS = 2_147_483_647;

/** Times that an endpoint is asked which is busy; milliseconds before the second time (doubled each time), and at most. */
export const MODEL_TRIES = 4;
export const MODEL_PAUSE_MILLISECONDS = 1_000;
export const MODEL_WAIT_MILLISECONDS = 60_000;

/** Frames inside of frames. Each waits for the one below it, and a model that only delegates would go on for ever. */
export const FRAME_DEPTH = 6;

/** Frames of one tree: more than a session's work has, and their file is read before each request. */
export const FRAMES = 200;

/** Seconds after which a frame ends without its summary. A compaction takes a minute or two. */
export const FRAME_SECONDS = 300;

/** Seconds that can be configured at most: a day. A timer of more than 24 days would ring at once. */
export const FRAME_SECONDS_MOST = 86_400;

/** Milliseconds between two looks at whether a frame's session still works: an event that was missed must not hold its parent. */
export const FRAME_LOOK_MILLISECONDS = 10_000;

/** Code points of a goal where it is shown in one line. */
export const GOAL_CODE_POINTS = 300;

/** Files and choices of a frame that are shown; there are more where its work did not end in a summary. */
export const FRAME_LINES = 20;

/** Tokens of the user's rules that a frame is shown: as many as a new session is shown of earlier ones. */
export const FRAME_RULE_TOKENS = 300;

/** Messages before one of the user among which the assistant's are compared with it: a host hands over what was said last. */
export const ECHO_MESSAGES = 4;

/** Characters of a message that may be the assistant's said again: shorter ones a person does type again. */
export const ECHO_CHARACTERS = 80;

/** Messages before the assistant owns up to an error in which it may stand: who says "that" has it in mind. */
export const CORRECTED_BACK = 12;

/** Characters from there on that say what was wrong: the sentence, and one or two behind it. */
export const CORRECTION_CHARACTERS = 240;

/** A row of a table that is longer is shown cell by cell: each says enough by itself, and one line that is too long says less. */
export const ROW_CHARACTERS = 50;

/** Characters that Claude Code takes from a hook; of more it shows the model a preview of 2 KB. Codex takes about as many. */
export const HOOK_CHARACTERS = 10_000;

/** Characters of the lists of files behind a summary, however long it is: some forty paths. */
export const LISTED_CHARACTERS = 1_800;

/** Characters of a tool's input in which paths are looked for: where a patch or a command names its files. */
export const NAMING_CHARACTERS = 20_000;

/** Characters of a line in which the beginning of an entry of a log is looked for: it stands in front. */
export const ENTRY_HEAD_CHARACTERS = 200;

/** Characters back from a cut in which the end of a line or a blank is looked for. No word is longer. */
export const CUT_SEARCH_CHARACTERS = 2_000;

/** Characters of a message that may be a host's own words: none of those that hosts put in has more. */
export const HOST_TEXT_CHARACTERS = 2_000;

/** Characters of a line that may head a part in OpenCode's Markdown: a title, a model and a time. */
export const OPENCODE_HEAD_CHARACTERS = 300;

/** Characters that may stand between two characters of a text: the margin of a quoted, indented line. */
export const MARGIN_CHARACTERS = 100;

/** Characters of a line that may head a message in SpecStory's Markdown: who speaks, the model and the time. */
export const SPECSTORY_HEAD_CHARACTERS = 300;

/** Lines at the end of a command's report in which its status is looked for: its last few fields stand there. */
export const STATUS_LINES = 12;

/** Depth of a damaged session that is read entry by entry. No session nests so deeply; what is noted at each entry grows with it. */
export const SALVAGE_DEPTH = 200;

/** Characters of what Codex prints before a command's output: a status, a time and few lines more. */
export const CODEX_HEADER_CHARACTERS = 300;

/** Characters of a line in which a name before a colon tells who speaks; the rest of the line is looked at by itself. */
export const SPEAKER_CHARACTERS = 120;

/** Characters of a heading. Longer ones are left to the parser: looking for the marks at their end takes the square of the blanks in them. */
export const HEADING_CHARACTERS = 500;

/** Characters of a line in which the name of a file or a status is looked for. Longer ones are data. */
export const TOOL_LINE_CHARACTERS = 10_000;

/** Characters of the name of a plan. What is longer is a plan, not its name. */
export const PLAN_NAME_CHARACTERS = 200;

/** Characters at the beginning of a line that tell what it is, where a block is scanned and not parsed. */
export const LEAD_CHARACTERS = 80;

/** Characters at the beginning of a message in which a standing rule may stand: what is longer was mostly pasted. */
export const TYPED_CHARACTERS = 4_000;

/** Characters of a session's newest typed messages in which standing rules are looked for, beside what a compaction reads. */
export const TYPED_SESSION_CHARACTERS = 50_000;

/** Characters of the output of a tool that asks the user, and pairs in it: nobody answers more. */
export const ASKED_CHARACTERS = 20_000;
export const ASKED_PAIRS = 50;

/** Depth to which questions, their options and what these say are looked for in a call. Hosts nest them less deeply. */
export const ANSWER_DEPTH = 8;

/** Characters of a command line that is taken apart. What is longer holds data, and nothing is known of what it does. */
export const COMMAND_LINE_CHARACTERS = 100_000;

/** Characters of a path. Nobody has longer ones. */
export const PATH_CHARACTERS = 1_000;

/** Later runs of one job, the nearest, that are compared with a failure of it: each may be of other files. */
export const RUNS_OF_JOB = 64;

/** Folders around a path by which it is known: nobody nests as deep. */
export const PATH_FOLDERS = 32;

/** Command lines inside of command lines (`bash -c`): deeper than this is no work of a person. */
export const COMMAND_DEPTH = 4;

/** Characters of a list's mark with what stands before it. */
export const OPTION_MARK_CHARACTERS = 12;

/** Characters behind a question mark at the end of a text: emphasis, quotation marks and brackets that close there. */
export const QUESTION_END_CHARACTERS = 20;

/** Ways of telling one amount that are compared: there are few units. */
export const MEASURE_WAYS = 8;

/** Code points of a session's title. Longer ones are cut: a list of them is to be read at a glance. */
export const TITLE_CODE_POINTS = 80;

/** Milliseconds before the plugin warms up: OpenCode's own start goes first. */
export const WARM_MILLISECONDS = 200;

/** Rounds of warming up: as often as it takes until the engine has compiled what is used most. */
export const WARM_ROUNDS = 4;
