// JSON as people and platforms write it: read strictly where it is strict, and beyond that with comments, trailing commas, single or
// typographic quotes, bare names, Python's words and variables that were not filled in. One pass, no pattern that could backtrack.

/** Deeper nesting than this is refused before anything is read. */
export const MAX_DEPTH = 32

export interface JsonRead {
  value: unknown
  /** The first name that stands twice in one object. */
  twice: string | null
  /** What its comments say. */
  comments: string
  /** Where the value ends in the text. */
  end: number
}

const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '”': '”',
  '„': '”',
  '‘': '’',
  '’': '’',
  '＂': '＂',
  '「': '」',
}
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }
const WORDS: Readonly<Record<string, unknown>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
  TRUE: true,
  FALSE: false,
  NULL: null,
  undefined: null,
  NaN: 'NaN',
}
const BLANK = /[\s\u3000\uFEFF]/
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y
const BARE = /[^\s,:，：{}[\]"'“”]{1,200}/y

/** The value that begins at `from`; null when there is none that can be read to its end. */
export function readJson(text: string, from = 0): JsonRead | null {
  const reader = new Reader(text, from)
  try {
    const value = reader.value(0)
    return { value, twice: reader.twice, comments: reader.comments.join(' '), end: reader.at }
  } catch (error) {
    if (error === STOP) return null
    throw error
  }
}

/** Thrown where the text is no JSON in any of these spellings; one object, because it is made for every text that is not. */
const STOP = new Error('not JSON')

class Reader {
  at: number
  twice: string | null = null
  readonly comments: string[] = []
  readonly #text: string

  constructor(text: string, from: number) {
    this.#text = text
    this.at = from
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw STOP
    this.#blank()
    const c = this.#text[this.at]
    if (c === undefined) throw STOP
    if (c === '{' && this.#text[this.at + 1] !== '{') return this.#object(depth)
    if (c === '[' && this.#text[this.at + 1] !== '[') return this.#array(depth)
    if (c === '[' && !/^\[\[\w[\w.]*\]\]/.test(this.#text.slice(this.at, this.at + 80)))
      return this.#array(depth)
    if (QUOTES[c] !== undefined) return this.#string(QUOTES[c] as string)
    return this.#bare()
  }

  #object(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = Object.create(null)
    this.at += 1
    for (;;) {
      this.#blank()
      const c = this.#text[this.at]
      if (c === undefined) throw STOP
      if (c === '}') break
      if (c === ',' || c === '，') {
        this.at += 1
        continue
      }
      const name = QUOTES[c] !== undefined ? this.#string(QUOTES[c] as string) : this.#name()
      this.#blank()
      const colon = this.#text[this.at]
      if (colon !== ':' && colon !== '：') throw STOP
      this.at += 1
      if (name in object) this.twice ??= name
      object[name] = this.value(depth + 1)
      this.#between('}')
    }
    this.at += 1
    return object
  }

  #array(depth: number): unknown[] {
    const list: unknown[] = []
    this.at += 1
    for (;;) {
      this.#blank()
      const c = this.#text[this.at]
      if (c === undefined) throw STOP
      if (c === ']') break
      if (c === ',' || c === '，') {
        this.at += 1
        continue
      }
      list.push(this.value(depth + 1))
      this.#between(']')
    }
    this.at += 1
    return list
  }

  /** Two values without a comma between them are no list. */
  #between(close: string): void {
    this.#blank()
    const c = this.#text[this.at]
    if (c !== ',' && c !== '，' && c !== close) throw STOP
  }

  #string(close: string): string {
    const open = this.at
    let out = ''
    let start = open + 1
    for (let i = start; i < this.#text.length; i++) {
      const c = this.#text[i] as string
      if (c === '\\') {
        out += this.#text.slice(start, i)
        const next = this.#text[i + 1] ?? ''
        if (next === 'u' && /^[0-9a-fA-F]{4}$/.test(this.#text.slice(i + 2, i + 6))) {
          out += String.fromCharCode(Number.parseInt(this.#text.slice(i + 2, i + 6), 16))
          i += 5
        } else {
          out += ESCAPES[next] ?? next
          i += 1
        }
        start = i + 1
      } else if (c === close || (close === '”' && c === '“') || (close === '’' && c === '‘')) {
        this.at = i + 1
        return out + this.#text.slice(start, i)
      }
    }
    throw STOP
  }

  #name(): string {
    BARE.lastIndex = this.at
    const found = BARE.exec(this.#text)
    if (!found) throw STOP
    this.at = BARE.lastIndex
    return found[0]
  }

  /** A number, a word, or a variable that was not filled in; anything else without quotes is no value. */
  #bare(): unknown {
    NUMBER.lastIndex = this.at
    const number = NUMBER.exec(this.#text)
    if (number && ENDS.test(this.#text[NUMBER.lastIndex] ?? ',')) {
      this.at = NUMBER.lastIndex
      // A number that a double cannot hold exactly, or a code like 0050, stays the text that was sent.
      const value = Number(number[0])
      return number[0].length > 15 || /^[+-]?0\d/.test(number[0]) ? number[0] : value
    }
    const variable = VARIABLE.exec(this.#text.slice(this.at, this.at + 160))
    if (variable) {
      this.at += variable[0].length
      return variable[0]
    }
    const word = this.#name()
    if (Object.hasOwn(WORDS, word)) return WORDS[word]
    throw STOP
  }

  #blank(): void {
    for (;;) {
      const c = this.#text[this.at]
      if (c === undefined) return
      if (BLANK.test(c)) this.at += 1
      else if (c === '/' && this.#text[this.at + 1] === '/') this.#skip('\n')
      else if (c === '/' && this.#text[this.at + 1] === '*') this.#skip('*/')
      else if (c === '#') this.#skip('\n')
      else return
    }
  }

  #skip(end: string): void {
    const from = this.at + (this.#text[this.at] === '#' ? 1 : 2)
    const at = this.#text.indexOf(end, from)
    this.comments.push(this.#text.slice(from, at < 0 ? undefined : at).trim())
    this.at = at < 0 ? this.#text.length : at + end.length
  }
}

const ENDS = /[\s,，\]}/#]/
const VARIABLE =
  /^(?:\{\{[^{}]{1,120}\}\}|\$\{[^{}]{1,120}\}|\[\[[^[\]]{1,120}\]\]|%[\w.]{1,80}%|<[\w.]{1,80}>)/
