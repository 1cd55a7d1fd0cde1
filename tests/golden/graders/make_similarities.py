"""Reference values of text_similarity graders: rapidfuzz, sacrebleu, nltk and rouge-score. Prints JSON.

    pip install rapidfuzz==3.14.6 sacrebleu==2.6.0 nltk==3.10.4 rouge-score==0.1.2
    python make_similarities.py > similarities.json
"""
import json

from nltk.translate.gleu_score import sentence_gleu
from rapidfuzz import fuzz
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu import sentence_bleu
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

PAIRS = [
    ["the cat sat on the mat", "the cat sat on the mat"],
    ["the cat is on the mat", "the cat sat on the mat"],
    ["fuzzy wuzzy was a bear", "fuzzy wuzzy had no hair"],
    ["Paris", "paris"],
    ["yes", "no"],
    ["a b c d e f g", "g f e d c b a"],
    ["Hello, world! It's 3.14 (about 1,000 times).", "Hello world: it is 3.14, about 1,000 times."],
    ["The quick brown fox jumps over the lazy dog", "A quick brown dog jumps over the lazy fox, twice"],
    ["one", "one two three four five six seven eight nine ten"],
    ["one two three four five six seven eight nine ten", "one"],
    ["state-of-the-art models in 2024-2025 cost $5.00 &amp; more", "state of the art models in 2024-2025 cost $5 & more"],
    ["repeat repeat repeat repeat", "repeat"],
    ["line one\nline two-\nsplit", "line one line two split"],
    ["", "something"],
    ["something", ""],
    ["...", "!!!"],
    ["naïve café 🙂", "naive cafe 🙂"],
    ['{"name": "John Doe", "email": "john.doe@gmail.com"}', '{"name": "John Doe", "email": "jd@gmail.com"}'],
]

tokenize = Tokenizer13a()
rouge = RougeScorer([*(f"rouge{n}" for n in range(1, 6)), "rougeL"], use_stemmer=False)


def measure(text, reference):
    scores = rouge.score(reference, text)
    tokens, expected = tokenize(text).split(), tokenize(reference).split()
    return {
        "fuzzy_match": fuzz.ratio(text, reference) / 100,
        "bleu": sentence_bleu(text, [reference]).score / 100,
        "gleu": sentence_gleu([expected], tokens) if tokens and expected else 0.0,
        **{f"rouge_{n}": scores[f"rouge{n}"].fmeasure for n in range(1, 6)},
        "rouge_l": scores["rougeL"].fmeasure,
    }


print(json.dumps([{"input": a, "reference": b, "scores": measure(a, b)} for a, b in PAIRS], indent=1, ensure_ascii=False))
