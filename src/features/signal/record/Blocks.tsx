/* One block of the opened record: title, something small at its right, content. */

import type { ReactNode } from 'react'
import type { OutputOf } from '#contract/endpoint.ts'
import type { getSignal, SignalRecord } from '#contract/signal.ts'
import { useGo } from '#screen/go.ts'
import { bytes, full, late, latency, number, signed } from '#text/format.ts'
import { priceText, productText, wordsOf } from '#text/row.ts'
import { FLAG_WORDS, positionText } from '#text/signal.ts'
import { GENESIS } from '#trading/chain.ts'
import { isSignal } from '#trading/day.ts'
import { ACTION_WORDS } from '#trading/record-words.ts'
import { Button } from '#ui/Button.tsx'
import { Fold } from '#ui/Card.tsx'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { KeyValues, Masked, Timeline } from '#ui/Figures.tsx'
import { Icon, type IconName } from '#ui/Icon.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import { FLAG_SENTENCES } from '../words.ts'
import css from './Blocks.module.css'
import { costsOf } from './costs.ts'
import { timelineOf, timelineTitle } from './timeline.ts'

/** `tone` colours the icon: good fits, danger does not. */
export type BlockProps = {
  title: string
  aside?: ReactNode
  icon?: IconName
  tone?: 'good' | 'danger' | 'quiet'
  children: ReactNode
}

export function Block({ title, aside, icon, tone = 'quiet', children }: BlockProps) {
  return (
    <section className={css.BlockBlock} aria-label={title}>
      <header>
        {icon && (
          <Icon
            name={icon}
            className={tone === 'good' ? 'good-ink' : tone === 'danger' ? 'danger-ink' : 'ink3'}
          />
        )}
        <h3>{title}</h3>
        <span className="sp" />
        {aside}
      </header>
      {children}
    </section>
  )
}

/* 留意: every flag of the record with what it means, its note and the reason of a void. */

/** Left out when there is nothing to say. */
export function FlagBlock({ record }: { record: SignalRecord }) {
  const delay = Date.parse(record.received_at) - Date.parse(record.occurred_at)
  const rows = [...toldBy(record), ...(record.note ? [{ label: '備註', value: record.note }] : [])]
  return (
    <>
      {record.flags.length > 0 && (
        <Block title="留意" icon="info">
          <ul className={css.FlagBlockFlags}>
            {record.flags.map((flag) => (
              <li key={flag}>
                <b>{flag === 'late' ? late(delay) : FLAG_WORDS[flag]}</b>
                <span className="ink2">{FLAG_SENTENCES[flag]}</span>
              </li>
            ))}
          </ul>
        </Block>
      )}
      {rows.length > 0 && (
        <Block title="訊號內容">
          <KeyValues rows={rows} />
        </Block>
      )}
    </>
  )
}

/** What the message itself said; a void or correction had none: what it carries is said of the record that it is about. */
function toldBy(record: SignalRecord) {
  if (!isSignal(record)) return []
  const { asset, reported_prev, symbol, symbol_raw, external_id } = record
  return [
    { label: '訊息寫的動作', value: toldAction(record) },
    ...(reported_prev === null
      ? []
      : [{ label: '來源回報的原部位', value: positionText(reported_prev, asset) }]),
    ...(symbol_raw && symbol_raw !== symbol ? [{ label: '原始商品代號', value: symbol_raw }] : []),
    ...(external_id ? [{ label: '來源編號', value: external_id }] : []),
  ]
}

function toldAction(record: SignalRecord): string {
  const word = ACTION_WORDS[record.action]
  const { target_position: target, asset } = record
  return target === null ? word : `${word} ${positionText(target, asset)}`
}

/* 損益怎麼算: the figure of the record, line by line. */

/** Nothing for a record without costs and result. */
export type CostBlockProps = { record: SignalRecord; average: number | null; masked: boolean }

export function CostBlock({ record, average, masked }: CostBlockProps) {
  const costs = costsOf(record, average)
  if (!costs || record.derived.status === 'voided') return null
  const rows = costs.lines.map((line) => ({
    key: line.label,
    label: (
      <>
        {line.label} <span className={css.CostBlockDetail}>{masked ? '' : line.detail}</span>
      </>
    ),
    value: masked ? <Masked /> : signed(line.value),
  }))
  const total = {
    label: '淨損益',
    value: <Delta value={costs.net} masked={masked} arrow={false} />,
    total: true,
  }
  return (
    <Block title={costs.net === null ? '這一筆的成本' : '損益怎麼算'}>
      <KeyValues rows={costs.net === null ? rows : [...rows, total]} />
    </Block>
  )
}

/* 相關紀錄: what voided or corrected this record, or the record that this one is about. Both stay, each leads to the other. */

/** `own` the strategy's records on this device. Left out when there is nothing. */
export type PointerBlockProps = {
  record: SignalRecord
  own: readonly SignalRecord[]
  onOpen: (id: string) => void
}

export function PointerBlock({ record, own, onOpen }: PointerBlockProps) {
  const related =
    record.refers_to === null
      ? own.filter(({ refers_to }) => refers_to === record.id)
      : own.filter(({ id }) => id === record.refers_to)
  if (related.length === 0) return null
  return (
    <Block title={record.refers_to === null ? '之後的作廢與更正' : '這筆說的是'} icon="link">
      <ul className={css.PointerBlockRelated}>
        {related.map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => onOpen(one.id)}>
              <span className="sp">
                <b>
                  {wordsOf(one).word} · 第 {number(one.chain_seq)} 筆
                </b>
                <small className="ink2">{aboutOf(one, record)}</small>
                <small className="num ink3">{full(one.occurred_at)}</small>
              </span>
              <Icon name="chevron-right" size={18} className="ink3" />
            </button>
          </li>
        ))}
      </ul>
    </Block>
  )
}

function aboutOf(record: SignalRecord, other: SignalRecord): string {
  if (record.source === 'void') return record.reason ?? ''
  const price = record.price === null ? '沒有價格' : priceText(record, record.price)
  const confirms = record.price !== null && record.price === other.price
  if (record.source === 'correction')
    return `${confirms ? '確認價格' : '價格'} ${price}${record.note ? ` · ${record.note}` : ''}`
  return `${productText(record)} · ${price}`
}

/* 從觸發到…: when the signal fired, came, was stored and shown, as a line with points. */

/** `timeline` of the server's answer, null until it is there; `unread` when it could not be had. */
export type TimelineBlockProps = {
  record: SignalRecord
  timeline: OutputOf<typeof getSignal>['timeline'] | null
  deliveries: OutputOf<typeof getSignal>['deliveries_to_me']
  unread: boolean
}

export function TimelineBlock({ record, timeline, deliveries, unread }: TimelineBlockProps) {
  const { go } = useGo()
  const line = timelineOf(record, timeline, deliveries)
  const given_up = deliveries.some(({ state }) => state === 'dead')
  return (
    <Block
      title={timelineTitle(record, line)}
      aside={
        line.total === null ? (
          line.said && <span className="t13 ink3">{line.said}</span>
        ) : (
          <span className="num t16 w6">{latency(line.total)}</span>
        )
      }
    >
      <Timeline steps={line.steps} label="這筆訊號的時間軸" />
      {given_up && (
        <Button size="s" {...go('/signal-notification?tab=why&state=dead')}>
          到發送紀錄重送
        </Button>
      )}
      {unread && <p className="t13 ink3">各通道的送達時間要連線才讀得到。</p>}
    </Block>
  )
}

/* The record's place in the chain: its number, its hash, the hash it builds on, and whether the one before fits. */

/** `previous` the record before in the chain as this device holds it. */
export type ChainBlockProps = {
  record: SignalRecord
  previous: SignalRecord | undefined
  onVerify: () => void
}

export function ChainBlock({ record, previous, onVerify }: ChainBlockProps) {
  const first = record.prev_hash === GENESIS
  const fits = first ? record.chain_seq === 1 : previous && previous.hash === record.prev_hash
  const place = `第 ${number(record.chain_seq)} 筆`
  const told = first ? '，紀錄的起點' : !previous ? '' : fits ? '，與前一筆相符' : '，與前一筆不符'
  const broken = !first && previous !== undefined && !fits
  return (
    <Block
      title={place + told}
      icon={broken ? 'warning' : fits ? 'verified' : 'link'}
      tone={broken ? 'danger' : fits ? 'good' : 'quiet'}
      aside={
        <Button size="s" kind="ghost" onClick={onVerify}>
          驗證紀錄
        </Button>
      }
    >
      <div className={`${css.ChainBlockChain} mono`}>
        {!first && (
          <>
            <span>
              {number(record.chain_seq - 1)} <code>{short(record.prev_hash)}</code>
            </span>
            <Icon name="link" size={16} className={broken ? 'danger-ink' : 'good-ink'} />
          </>
        )}
        <span>
          {number(record.chain_seq)} <code>{short(record.hash)}</code>
        </span>
      </div>
      <div className={css.ChainBlockFoot}>
        <p className="t13 ink3 sp">
          {broken
            ? '這筆記載的前一筆雜湊，和這支裝置上的前一筆不同。請告訴策略的管理者。'
            : !first && !previous
              ? '前一筆不在這支裝置上，無法比對。'
              : '每一筆都含前一筆的雜湊，事後改過就接不上。'}
        </p>
        <CopyButton size="s" text={record.hash}>
          複製雜湊
        </CopyButton>
      </div>
    </Block>
  )
}

/** 7be0 41c9 … 51d3 */
function short(hash: string): string {
  return `${hash.slice(0, 4)} ${hash.slice(4, 8)} … ${hash.slice(-4)}`
}

/* 原始訊息: the body as it arrived, folded; only for those who may edit the strategy. */

/** The delivery inside the answer of GET /signals/:id. */
export type RawBlockProps = { delivery: NonNullable<OutputOf<typeof getSignal>['delivery']> }

export function RawBlock({ delivery }: RawBlockProps) {
  const { body, body_encoding, content_type, received_at, duration_ms } = delivery
  const size =
    body === null
      ? 0
      : body_encoding === 'utf-8'
        ? new TextEncoder().encode(body).length
        : Math.floor((body.length * 3) / 4)
  const kind = /json/.test(content_type) ? 'JSON' : content_type.split(';')[0] || '文字'
  return (
    <div className={css.RawBlockRaw}>
      <Fold title="原始訊息" icon="code" note={body === null ? '已過保留期' : `${kind} · ${bytes(size)}`}>
        {body === null ? (
          <p className="t13 ink3">原始訊息保留 30 天，這一則已經刪除。</p>
        ) : body_encoding === 'base64' ? (
          <CodeBlock label="原始訊息（不是文字，以 Base64 顯示）" code={body} wrap copy="複製" />
        ) : (
          <CodeBlock label="原始訊息" code={body} wrap copy="複製" />
        )}
        <p className={`t13 ink3 num ${css.RawBlockUnder}`}>
          {full(received_at)} 收到 · 處理 {latency(duration_ms)}
        </p>
      </Fold>
    </div>
  )
}
