// Whether an exported record is whole: every link computed again from the facts in the file, nothing else is believed.
import * as z from 'zod/mini'
import { taipei } from '#trading/calendar.ts'
import { FACT_KEYS, GENESIS, linkText } from '#trading/chain.ts'
import { sha256 } from '../ids.ts'

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const place = { chain_seq: z.number(), hash }
const export_file = z.object({
  format: z.literal('lingbo-record/1'),
  exported_at: z.string(),
  strategy: z.object({ id: z.string(), name: z.string(), kind: z.string() }),
  anchor: hash,
  head: z.nullable(z.object({ ...place, at: z.string() })),
  records: z.array(z.object({ ...place, prev_hash: hash, facts: z.unknown() })),
  day_heads: z.array(z.object({ ...place, day: z.string() })),
})
type ExportFile = z.infer<typeof export_file>
type Proof = { ok: boolean; lines: string[] }

const NOT_OURS = '這不是凌波匯出的紀錄。請給從策略的「訊號」匯出的 JSON 檔；CSV 與備份檔不能這樣檢查'

/**
 * Checks the text of a JSON export. `known` is a hash somebody noted earlier: a history written anew from the start fits in
 * itself, but that hash is no longer in it.
 */
export function checkExport(text: string, known?: string): Proof {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return bad(
      text.trimStart().startsWith('{')
        ? '這個檔案不是完整的 JSON：可能下載中斷，或內容被更動過。請從策略的「訊號」再匯出一次 JSON'
        : NOT_OURS,
    )
  }
  const parsed = export_file.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const [top, index] = issue?.path ?? []
    if (top === undefined || top === 'format') return bad(NOT_OURS)
    const where = top === 'records' && typeof index === 'number' ? `檔案中的第 ${index + 1} 筆` : '檔案的開頭'
    return bad(
      `${where}缺了欄位或格式被更動過（${issue?.path.join('.')}）。請從策略的「訊號」再匯出一次 JSON`,
    )
  }
  const file = parsed.data
  const fault = brokenLink(file) ?? brokenHead(file) ?? brokenDay(file)
  if (fault !== null) return bad(fault)
  const lines = [
    ...verdictOf(file),
    file.head === null
      ? '還沒有任何紀錄。'
      : `最後一筆：第 ${file.head.chain_seq} 筆 ${file.head.hash}（${taipei(file.head.at).date}）`,
  ]
  if (known === undefined) return { ok: true, lines }
  const at = file.records.find((record) => record.hash === known.toLowerCase())
  if (!at) return bad(`先前記下的雜湊 ${known} 不在這份紀錄裡：歷史可能被整個改寫過`)
  return { ok: true, lines: [...lines, `先前記下的雜湊是第 ${at.chain_seq} 筆，仍在原處。`] }
}

/** A record that is told as a link only (facts: null) holds the chain together; nothing is proved of what it says. */
function verdictOf({ strategy, records }: ExportFile): string[] {
  const count = (n: number) => n.toLocaleString('en-US')
  const links = records.filter(({ facts }) => facts === null)
  if (links.length === 0)
    return [`紀錄完整：「${strategy.name}」共 ${count(records.length)} 筆，每一筆都接得上前一筆。`]
  const [some, rest] = [links.slice(0, 20), links.length - 20]
  const seqs = some.map(({ chain_seq }) => chain_seq).join('、') + (rest > 0 ? `…另外 ${count(rest)} 筆` : '')
  return [
    `雜湊相連：「${strategy.name}」共 ${count(records.length)} 筆，每一筆都接得上前一筆；其中 ${count(links.length)} 筆沒有內容，沒有驗證。`,
    `有內容的 ${count(records.length - links.length)} 筆與雜湊相符。第 ${seqs} 筆只有雜湊（說的是匯出的人可見期間之前的事），它們的內容是什麼，這份檔案證明不了。`,
  ]
}

function brokenLink({ records, strategy, anchor }: ExportFile): string | null {
  let prev = anchor
  let expected = anchor === GENESIS ? 1 : (records[0]?.chain_seq ?? 1)
  for (const { chain_seq, prev_hash, hash: told, facts } of records) {
    const wrong = (why: string) => `第 ${chain_seq} 筆不符：${why}`
    if (chain_seq !== expected)
      return `第 ${expected} 筆不符：這個位置上是第 ${chain_seq} 筆，有紀錄被移除、插入或調換`
    if (prev_hash !== prev) return wrong('記載的前一筆雜湊與實際的前一筆不同')
    if (facts !== null) {
      if (!isFacts(facts)) return wrong('內容的欄位不是應有的欄位')
      if (facts['chain_seq'] !== chain_seq) return wrong('內容自稱是別的序號')
      if (facts['strategy_id'] !== strategy.id) return wrong('內容屬於別的策略')
      if (sha256(linkText(prev, canonicalOf(facts))) !== told) return wrong('內容與雜湊不同，內容被更動過')
    }
    prev = told
    expected += 1
  }
  return null
}

function brokenHead({ records, head }: ExportFile): string | null {
  const last = records.at(-1)
  if (last?.hash === head?.hash && last?.chain_seq === head?.chain_seq) return null
  const next = (last?.chain_seq ?? 0) + 1
  if (head === null || (last && head.chain_seq <= last.chain_seq))
    return `第 ${last?.chain_seq} 筆不符：與檔案記載的最後一筆不同`
  return `第 ${next} 筆不符：紀錄到此為止，但應有 ${head.chain_seq} 筆，結尾被刪去`
}

function brokenDay({ records, day_heads }: ExportFile): string | null {
  const of_seq = new Map(records.map((record) => [record.chain_seq, record.hash]))
  const day = day_heads.find(({ chain_seq, hash: told }) => of_seq.get(chain_seq) !== told)
  return day ? `第 ${day.chain_seq} 筆不符：與 ${day.day} 當日最後一筆的雜湊不同` : null
}

/** Exactly the keys that are hashed: one more would say something that nobody vouches for. */
function isFacts(facts: unknown): facts is Record<string, unknown> {
  if (typeof facts !== 'object' || facts === null) return false
  const keys = Object.keys(facts)
  return keys.length === FACT_KEYS.length && FACT_KEYS.every((key) => keys.includes(key))
}

/** RFC 8785 of flat facts read from a file: keys in order, values as JSON writes them. */
function canonicalOf(facts: Record<string, unknown>): string {
  return JSON.stringify(Object.fromEntries(FACT_KEYS.map((key) => [key, facts[key]])))
}

function bad(line: string): Proof {
  return { ok: false, lines: [line] }
}
