// 原始資料 of an XQ strategy: what was imported, a file read in a worker for its preview, tried and taken by the server.
import { queryOptions } from '@tanstack/react-query'
import type { InputOf, OutputOf } from '#contract/endpoint.ts'
import {
  deleteOriginalBatch,
  importOriginalData,
  listOriginalData,
  type OriginalStatus,
  reprocessOriginalData,
} from '#contract/original-data.ts'
import type { Strategy } from '#contract/strategy.ts'
import { unitOf } from '#trading/kinds.ts'
import type { ReadFile, ReadFileOptions } from '#trading/original/rows.ts'
import type { AskedEncoding, ColumnMapping } from '#trading/original/shape.ts'
import type { PayloadStrategy } from '#trading/reader/shape.ts'
import type { Ctx } from '../context.ts'
import { askAgain, getData, write } from '../current.ts'
import { keys } from '../keys.ts'
import type { Answered } from './original-data.worker.ts'

/** While a file is on its way. */
const ASK_MS = 700

export interface OriginalFilter {
  status?: OriginalStatus
  before?: string
}
export type TriedImport = OutputOf<typeof importOriginalData>

export const originalQueries = {
  list: (ctx: Ctx, id: string, filter: OriginalFilter) =>
    queryOptions({
      queryKey: keys.strategy.original(ctx, id, filter),
      queryFn: ({ signal }) =>
        getData().client.call(listOriginalData, { id, limit: 50, ...filter }, { signal, ctx }),
      refetchInterval: ({ state }) =>
        state.data?.batches.some((batch) => batch.state !== 'done') ? ASK_MS : false,
      meta: { keep: false },
    }),
}

/** A file, with how it is read. */
export interface ChosenFile {
  bytes: Uint8Array<ArrayBuffer>
  name: string
  source: 'csv' | 'paste'
  encoding: AskedEncoding
  mapping: ColumnMapping
}

function inputOf(id: string, { bytes, name, source, encoding, mapping }: ChosenFile, dry_run: boolean) {
  return {
    ...{ id, file: bytes, name, source, encoding, mapping: JSON.stringify(mapping) },
    dry_run: String(dry_run),
  } satisfies InputOf<typeof importOriginalData>
}

/** What the server would make of it; nothing is kept. */
export function tryImport(ctx: Ctx, id: string, file: ChosenFile, signal: AbortSignal): Promise<TriedImport> {
  return getData().client.call(importOriginalData, inputOf(id, file, true), { ctx, signal })
}

export const originalMutations = {
  take: (ctx: Ctx, id: string) =>
    write(
      (file: ChosenFile) => getData().client.call(importOriginalData, inputOf(id, file, false), { ctx }),
      () => void askAgain(keys.strategy.original(ctx, id), keys.strategy.all(ctx)),
    ),
  readAgain: (ctx: Ctx, id: string) =>
    write(
      (row_ids: string[]) => getData().client.call(reprocessOriginalData, { id, row_ids }, { ctx }),
      () => void askAgain(keys.strategy.original(ctx, id), keys.strategy.all(ctx)),
    ),
  remove: (ctx: Ctx, id: string) =>
    write(
      ({ batch_id }: { batch_id: string }) =>
        getData().client.call(deleteOriginalBatch, { id, batch_id }, { ctx }),
      () => void askAgain(keys.strategy.original(ctx, id), keys.strategy.all(ctx)),
    ),
  /** The rows as a file. */
  download: (ctx: Ctx, id: string) =>
    write(() => getData().client.download(listOriginalData, { id, format: 'csv' }, { ctx })),
}

/** A file that cannot be read, in words. */
export class UnreadFile extends Error {}

/** Reads the first rows of a file beside the page. `signal` ends it at once; rejects with an UnreadFile where nothing of it can be taken. */
export function readInWorker(
  file: ChosenFile,
  strategy: Strategy,
  {
    signal,
    onShare,
    now,
    most,
  }: { signal: AbortSignal; onShare: (share: number) => void; now: number; most: number },
): Promise<ReadFile> {
  const worker = new Worker(new URL('./original-data.worker.ts', import.meta.url), { type: 'module' })
  const question: ReadFileOptions = {
    bytes: file.bytes,
    file_name: file.name,
    encoding: file.encoding,
    mapping: file.mapping,
    strategy: readAs(strategy),
    now: new Date(now).toISOString(),
    most,
  }
  return new Promise<ReadFile>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
    worker.addEventListener('message', ({ data }: MessageEvent<Answered>) => {
      if ('share' in data) onShare(data.share)
      else if ('read' in data) resolve(data.read)
      else reject('fault' in data ? new UnreadFile(data.fault) : new Error(data.failed))
    })
    worker.addEventListener('error', (event) =>
      reject(new Error(event.message || 'the worker did not start')),
    )
    worker.postMessage(question)
  }).finally(() => worker.terminate())
}

/** The part of the strategy that decides how a row is read. */
function readAs(strategy: Strategy): PayloadStrategy {
  const { kind, direction, quantity_mode, default_quantity, on_symbol_mismatch, late_after_s, max_position } =
    strategy
  const { settings } = strategy
  return {
    ...{ kind, direction, quantity_mode, default_quantity, on_symbol_mismatch, late_after_s, max_position },
    ...{ product_code: null, contract_rule: null, contract_month: null },
    symbols: 'symbols' in settings ? settings.symbols : [],
    unit: unitOf(strategy),
    ...('default_action' in settings && { default_action: settings.default_action }),
  }
}
