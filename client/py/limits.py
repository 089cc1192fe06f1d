"""Every number the product promises, in one place; docs and prompts are generated from here or tested against it."""

from __future__ import annotations

from typing import Final

# Cards
CARD_TOKENS: Final = 300
"""Budget of one card in estimated model tokens; longer ones are split on paragraph boundaries."""
CARD_OVERLAP: Final = 0.20
"""Share of the budget that a split card repeats from the part before it, in whole sentences."""

# BM25
K1: Final = 1.2
B: Final = 0.9
"""Higher than the usual 0.75: a short card that answers should win over a long one that mentions (`docs/retrieval.md`)."""
WEIGHT_NAME: Final = 4.0
WEIGHT_NUMBER: Final = 3.0
WEIGHT_CONCEPT: Final = 1.8
WEIGHT_WORD: Final = 1.0
WEIGHT_NOISE: Final = 0.2
WEIGHT_POWER: Final = 0.25
"""The weights above one are raised to this power before they meet the idf, which already favours what is rare; at 1 they cost
quality on most sets (`docs/retrieval.md`)."""
REPEAT_POWER: Final = 0.5
"""A term that a question has n times counts n to this power."""

# Passages and answers
PASSAGES: Final = 8
PASSAGES_MAX: Final = 12
CONTEXT_CHARACTERS: Final = 6_000
"""0 means no limit."""
ANSWER_TOKENS: Final = 4_096
TEMPERATURE: Final = 0.3
HISTORY_MESSAGES: Final = 12
WEAK_PASSAGES: Final = 0.3
"""Confidence below which the model is told that the passages match only a part of the question."""

# The loop
REQUESTS: Final = 6
"""Requests of one exchange; the last is sent without tools, so that an answer always comes."""
CALLS: Final = 12
REPEATS: Final = 2
FAILURES: Final = 3
TOLD_AT: Final = 0.8
"""Share of a budget at which the model is told what is left."""
LONG_JOB_REQUESTS: Final = 200
STALL_SECONDS: Final = 60.0
AFTER_FINISH_SECONDS: Final = 5.0
"""How long the usage report and the end mark are waited for once the answer is whole."""
RETRIES: Final = 2
RETRY_FIRST_SECONDS: Final = 0.5
RETRY_LONGEST_SECONDS: Final = 8.0
PROMPT_CHARACTERS: Final = 60_000
"""Budget of all messages of a request; longer threads are compacted."""
WHITE_SPACE_CHARACTERS: Final = 2_000
"""A stream of nothing but white space is stopped after this many."""

# Tools
RESULT_CHARACTERS: Final = 6_000
"""Cap of a tool result where the tool has no cap of its own."""
TOC_ENTRIES: Final = 120
RETRIEVE_CHARACTERS: Final = 800
CHUNK_CHARACTERS: Final = 800
SLICE_HITS: Final = 8
SLICE_HITS_MAX: Final = 20
SLICE_CONTEXT: Final = 130
OUTLINE_CARDS: Final = 500
OUTLINE_SECTIONS: Final = 100
READ_CARDS: Final = 12
READ_CHARACTERS: Final = 1_400
PYTHON_SECONDS: Final = 15.0
PYTHON_CHARACTERS: Final = 8_000

# Links and rendering
LINK_CHARACTERS: Final = 2_048
DRAW_MILLISECONDS: Final = 100
"""Shortest time between two drawings of a growing answer."""
FORMULA_CHARACTERS: Final = 4_000
"""A longer formula is shown as text."""
FORMULA_LINES: Final = 200
ANSWER_LINES: Final = 5_000
"""A longer answer is shown as text …"""
ANSWER_CHARACTERS: Final = 400_000
"""… and one with more characters."""
INLINE_CHARACTERS: Final = 20_000
"""A longer paragraph is shown as text."""
INLINE_DELIMITERS: Final = 1_000
"""A paragraph with more brackets, or more stars and the like, is shown as text."""
BLOCK_NESTING: Final = 20
"""Deeper lists and quotes are shown as text."""
TABLE_COLUMNS: Final = 64

# Fields of a card: how often a term there counts
FIELD_TITLE: Final = 2
FIELD_BREADCRUMB: Final = 1
FIELD_LABEL: Final = 6
"""A label the card carries as its own: its number, or a caption in its text."""

# Questions
QUESTION_CHARACTERS: Final = 4_000
"""A longer question is searched by its beginning."""
QUESTION_TERMS: Final = 64
EXPANSION_WEIGHT: Final = 0.5
"""Of a term that stands in for one the book does not know, or crosses from one language to the other."""
STOP_MOST: Final = 0.07
"""Share of the cards in which a function word may stand and still be indexed; in more it finds nothing."""
STOP_FEWEST_CARDS: Final = 100
STOP_WEIGHT: Final = 0.1
"""Of function words, and only where a question has nothing else."""
CANDIDATES: Final = 64
"""Best cards by terms alone that are looked at more closely."""
PAGE_SHARE: Final = 0.3
"""Of the best score on its page that a card gets on top: a page vouches for its cards."""
PHRASE_SHARE: Final = 0.1
"""Most that the question's phrases, found whole in a card's text, add to its score."""
PHRASE_CARDS: Final = 16
TITLE_SHARE: Final = 0.5
"""What a card whose title is the very question gets on top."""
KIND_SHARE: Final = 0.3
"""What a card of the kind that was asked for gets on top."""
LABEL_SHARE: Final = 1.0
"""Of the best score that the card carrying an asked label gets on top, half for the second such card, and so on."""
NEAREST: Final = 3
"""Near spellings that are named for an unknown term."""
WEAK: Final = 0.35
"""Confidence below which an answer says that the book does not speak of it directly."""

# The answer without a model
EXTRACT_CARDS: Final = 3
EXTRACT_LEAST: Final = 0.5
"""Share of the best card's standing below which a card is not quoted."""
EXTRACT_EVIDENCE: Final = 0.05
"""What its best sentence may add to a card's standing."""
EXTRACT_SENTENCE_CHARACTERS: Final = 600
EXTRACT_SHORT: Final = 120
"""A shorter sentence takes the next one of its paragraph with it; a Chinese letter counts as two."""
EXTRACT_WORD: Final = 60
"""Letters of an unknown word that are shown."""
EXTRACT_STATEMENT: Final = 900
"""Length up to which a definition, a theorem, or a section whose title is the question is quoted from its beginning."""

# Citations
QUOTE_CHARACTERS: Final = 600
"""Of a sentence, or of a quote a model hands in, no more is compared."""
QUOTE_DISTANCE: Final = 0.15
"""Share of its letters that may differ in a quote."""
QUOTED_TERMS: Final = 0.85
"""Share of a sentence's terms a stretch of its card must have to support it closely …"""
QUOTED_CLOSENESS: Final = 0.6
"""Share of its letters that must stand in the card in the same order: the same words turned round say something else."""
LOOSE_TERMS: Final = 0.5
"""… and loosely."""
VERBATIM: Final = 0.98
"""Share of its letters that are the card's own in a sentence that is simply quoted."""
CLAIM_LETTERS: Final = 12
"""A text with fewer letters (a Chinese one counts for two) claims little by itself."""

# The sandbox of python_exec
PYTHON_MEMORY_BYTES: Final = 512 * 2**20
PYTHON_FILE_BYTES: Final = 8 * 2**20
"""Largest file; the working folder holds twice as much."""
PYTHON_CODE_CHARACTERS: Final = 20_000
PYTHON_AT_ONCE: Final = 2
"""Sandboxes an MCP server runs at the same time; further calls wait."""
