// Where SQLite stands: the file and its log are looked at before and after every commit, for a few microseconds each.
import type Sqlite from 'better-sqlite3'
import type { Condition } from './condition.ts'
import { type FileMoved, FileWatch } from './file-watch.ts'

const WHAT: Record<FileMoved, string> = {
  gone: '不見了（被刪除或移走）',
  another: '被換成另一個檔案',
  overwritten: '被別的程式蓋寫',
}
const OVER = '蓋上去的那份沒有的與之後收到的，都沒有存下。請停止伺服器，把整個資料夾複製一份，再從備份還原'
const THEN = '之後收到的都沒有存下。請停止伺服器，把整個資料夾複製一份，再從備份還原'

export class Footing {
  readonly #db: Sqlite.Database
  readonly #path: string
  readonly #condition: Condition
  readonly #watch: FileWatch
  /** The log went, and what stood in it was brought into the file. */
  #rescued = false
  #moved = false
  /** What was found when somebody else's content lay where ours was: for good. */
  #overwritten: string | null = null

  constructor(db: Sqlite.Database, path: string, condition: Condition) {
    this.#db = db
    this.#path = path
    this.#condition = condition
    this.#watch = new FileWatch(path)
  }

  /** Somebody else's file lies where ours was. */
  get lost(): boolean {
    return this.#overwritten !== null
  }

  /** Before a transaction begins; throws when nothing it commits would be kept. */
  before(): void {
    this.#look(true)
    this.#condition.gate()
  }

  /** After a commit, before anybody hears of it; throws when it went into a file that is gone. */
  after(): void {
    this.#look(false)
    this.#watch.remember()
    this.#condition.worked()
  }

  /** After a transaction that was given up: some of it may stand in the log, which may have begun anew for it. */
  undone(): void {
    try {
      this.#look(false)
    } catch {
      // The condition has it, and the log.
    }
    this.#watch.remember()
  }

  /** Before a write outside of a transaction; throws when it would go into a file that is gone, or take another one for ours. */
  writing(): void {
    this.#look(true)
  }

  /** After a write outside of a transaction. */
  written(): void {
    this.#watch.remember()
  }

  /** Looks without writing; what is found stands in the condition. */
  look(): void {
    if (this.#db.inTransaction) return
    try {
      this.#look(true)
    } catch {
      // The condition has it, and the log.
    }
  }

  close(): void {
    this.#watch.close()
  }

  #look(between_writes: boolean): void {
    if (this.#overwritten !== null) throw this.#condition.moved(this.#overwritten)
    const file = this.#watch.file(between_writes)
    if (file) throw this.#stop(file, `資料庫檔 ${this.#path}`)
    const log = this.#watch.log(between_writes)
    if (log === 'overwritten') throw this.#stop(log, `資料庫的記錄檔 ${this.#path}-wal`)
    if (log) {
      this.#moved = true
      throw this.#condition.moved(`資料庫的記錄檔 ${this.#path}-wal ${WHAT[log]}；${this.#rescue()}`)
    }
    if (!this.#moved) return
    this.#moved = false
    this.#condition.stands()
  }

  #stop(found: FileMoved, name: string): Error {
    this.#moved = true
    const text = `${name} ${WHAT[found]}；${found === 'overwritten' ? OVER : THEN}`
    if (found === 'overwritten') this.#overwritten = text
    return this.#condition.moved(text)
  }

  /** What was committed stands in the log alone, which only we still have open: into the file with it, once. */
  #rescue(): string {
    try {
      if (!this.#rescued && !this.#db.inTransaction) {
        const [row] = this.#db.pragma('wal_checkpoint(FULL)') as { busy: number }[]
        this.#rescued = row?.busy === 0
        this.#watch.remember()
      }
    } catch (error) {
      this.#condition.failed(error)
    }
    return this.#rescued ? '先前收下的已搶救回資料庫檔。請重新啟動伺服器，在那之前不再收任何資料' : THEN
  }
}
