// What may not stand before a person: names of the code, codes, machine times, and English that nobody in the field uses.

/** Names of products and formats, units, keys of the keyboard, what is typed to the bot, and the field's own
 * terms. */
const KNOWN = new Set(
  `LingBo Webhook webhook TradingView XQ MultiCharts PowerLanguage Pine Telegram iPhone iPad Mac Dock Android Windows Safari
  Chrome Edge Firefox Discord Wi Fi App Google Esc Enter Ctrl Tab Alt Shift ms px Big5 WebP gzip curl Excel Python PowerShell SQLite PostgreSQL
  JavaScript Base64 mail ISO Lightweight Charts Copyright Inc localhost https http
  Bot tomorrow on off
  Percent profitable Profit factor Ratio avg win loss`.split(/\s+/),
)
/** A code of the market or an abbreviation: MXF, TAIFEX, JSON, UTC; never a contract rule. */
const CODE = /^[A-Z]{2,7}\d{0,6}$|^[A-Z]\d?$/

const INNER: readonly RegExp[] = [
  // snake_case and camelCase
  /(?<![\w{.])[A-Za-z]+(?:_[A-Za-z0-9]+)+(?!\w)/g,
  /(?<!\w)[a-z]+[A-Z][A-Za-z]+(?!\w)/g,
  /(?<!\w)(?:undefined|null|NaN|true|false|Infinity)(?!\w)|\[object/g,
  // the rule of a contract instead of 近月 and 次月, and a contract's month as digits behind its product
  /(?<!\w)C[12](?!\w)|(?<!\w)[A-Z]{3} \d{6}(?!\d)/g,
  // words of the code and of its documents, and a blank beside a bracket, which Chinese does not write
  /鏈頭|整條鏈|判定|沒成為訊號|(?<!…) 「|」 (?!…)/g,
  // an id, an instant
  /[0-9a-f]{8}-[0-9a-f]{4}-/g,
  /\d{4}-\d\d-\d\dT\d\d/g,
]

/** Addresses are nobody's words. */
const ADDRESS =
  /https?:\/\/\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<!\w)(?:[\w-]+\.)+(?:com|tw|example|json|csv|log|eml)(?!\w)/g

/** What is typed to a bot, and a path of the app. */
const COMMAND = /(?<![\w/])\/[a-z][a-z-]{0,40}(?![\w-])/g

/** An instant as an example of how to write one. */
const EXAMPLE = /（例如 [^）]*）/g

/** The words of a text that are not for people; `also` names more that are known where it stands. */
export function innerWords(text: string, also: ReadonlySet<string> = new Set()): string[] {
  const plain = text.replace(ADDRESS, ' ').replace(COMMAND, ' ').replace(EXAMPLE, ' ')
  const found = INNER.flatMap((one) => plain.match(one) ?? []).filter(
    (word) => !also.has(word) && !KNOWN.has(word),
  )
  const latin = (plain.match(/[A-Za-z][A-Za-z0-9_]*/g) ?? []).filter(
    (word) => word.length > 1 && !KNOWN.has(word) && !also.has(word) && !CODE.test(word),
  )
  return [...new Set([...found, ...latin])]
}

/** What a message may be written with; reasons for a refused one name them, as the sender must write them. */
export const MESSAGE_WORDS: ReadonlySet<string> = new Set(
  `action symbol ticker quantity contracts price time timenow id note buy sell long short open close add exit reverse flat
  long_entry long_exit short_entry short_exit close_all target_position position market_position position_size strategy
  limit market alert_message interval secret side true false payload key value YYYY MM DD HH mm ss
  __proto__ proto__ constructor prototype`.split(/\s+/),
)

/** Everything that a message itself says, its instants too: a reason quotes them as they were sent. */
export const wordsIn = (text: string): string[] => [
  ...(text.match(/[A-Za-z][A-Za-z0-9_]*/g) ?? []),
  ...(text.match(/\d{4}-\d\d-\d\dT\d\d/g) ?? []),
  ...(text.match(/(?<!\w)[A-Z]{3} \d{6}(?!\d)/g) ?? []),
]
