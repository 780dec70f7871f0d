/* One format beside one of its messages: what the message would be, confirmed in one tap or said otherwise; a confirmed one can be renamed, changed, deleted. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import type { Webhook } from '#contract/webhook.ts'
import type { FormatReading, WebhookFormat } from '#contract/webhook-format.ts'
import { webhookMutations, webhookQueries } from '#data/nouns/webhook.ts'
import { Ask } from '#screen/Ask.tsx'
import { useOnline } from '#screen/browser.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useLeaveSheet } from '#screen/LeaveForm.tsx'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { number } from '#text/format.ts'
import { ASKED } from '#text/row.ts'
import { positionWords } from '#text/signal.ts'
import { markText, QUESTION_WORDS, ROLE_WORDS, readingParts, readingText } from '#text/webhook.ts'
import { assetOf } from '#trading/kinds.ts'
import type { Action, Asset } from '#trading/record.ts'
import { Button } from '#ui/Button.tsx'
import { Choices } from '#ui/Checkbox.tsx'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { KeyValues } from '#ui/Figures.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { Seal } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import { SelectField } from '#ui/SelectField.tsx'
import { Bone, Skeleton } from '#ui/Skeleton.tsx'
import { Tag } from '#ui/Tag.tsx'
import { TextField } from '#ui/TextField.tsx'
import { ACTION_OPTIONS, FormatEditor } from './FormatEditor.tsx'
import css from './FormatSheet.module.css'
import { type FormatDraft, useFormat } from './use-format.ts'
import { type Marked, marked, verdictOf } from './words.ts'

/** `onDone` gets the signals of the messages that waited. */
export type FormatSheetProps = {
  strategy: Strategy
  webhook: Webhook
  format_id: string
  onClose: () => void
  onDone: (signal_ids: readonly string[]) => void
}

export function FormatSheet(props: FormatSheetProps) {
  const { webhook, format_id, onClose } = props
  const { data, error, isFetching, refetch } = useQuery(webhookQueries.formats(useCtx(), webhook.id))
  const found = data?.items.find(({ id }) => id === format_id)
  // It was confirmed here, or by somebody else meanwhile: what is being looked at stays.
  const [kept, setKept] = useState(found)
  if (found && found !== kept) setKept(found)
  const format = found ?? kept
  if (format) return <Opened key={`${format.id} ${format.state}`} {...props} format={format} />
  return (
    <Sheet
      open
      onClose={onClose}
      tall={!data}
      title="訊息格式"
      subtitle={`${props.strategy.name} · ${webhook.name}`}
    >
      {data ? (
        <p>這種格式已經有人確認或略過了，不用再看。</p>
      ) : error ? (
        <FailState title="讀不到這種格式" onRetry={() => void refetch()} busy={isFetching}>
          {failureSentence(error, '訊息在伺服器上等著，')}
        </FailState>
      ) : (
        <Skeleton label="格式載入中" />
      )}
    </Sheet>
  )
}

function Opened({
  strategy,
  webhook,
  onClose,
  onDone,
  format,
}: FormatSheetProps & { format: WebhookFormat }) {
  const draft = useFormat(strategy, webhook, format)
  const [removing, setRemoving] = useState(false)
  // a value that was pressed in the message: its field is where one goes on
  const [picked, setPicked] = useState<{ path: string } | null>(null)
  const { waits, editing, said, reading, dirty } = draft
  const asset = assetOf(strategy)
  const { leave, question } = useLeaveSheet(
    dirty && !draft.confirm.isSuccess && !draft.update.isSuccess,
    onClose,
  )
  const done = (signal_ids: readonly string[]) => {
    toast({
      title: waits ? '以後這樣的訊息直接收下' : '格式已儲存',
      ...(signal_ids.length > 0 && { description: `等著的收下了 ${number(signal_ids.length)} 筆訊號` }),
      icon: 'check',
    })
    onClose()
    onDone(signal_ids)
  }
  return (
    <Sheet
      open
      onClose={leave}
      sticky={dirty}
      tall
      wide
      title={editing && !draft.blank ? '每個欄位是什麼？' : titleOf(format)}
      subtitle={`${strategy.name} · ${webhook.name}`}
      foot={<Foot draft={draft} format={format} onDone={done} />}
    >
      <div className={css.sides}>
        <div className={cx(css.top, 'col gap20')}>
          {draft.blank && (draft.sample === null || draft.learn.error) && <p>{format.reason}</p>}
          {!editing &&
            (reading ? (
              <Reading reading={reading} sample={!waits} asset={asset} />
            ) : (
              said && <Unread draft={draft} />
            ))}
          {format.extends !== null && !editing && <NewWord draft={draft} format={format} />}
        </div>
        <div className={css.message}>
          <Message
            draft={draft}
            format={format}
            asset={asset}
            onPick={(path) => {
              draft.setEditing(true)
              setPicked({ path })
            }}
          />
        </div>
        <div className={cx(css.below, 'col gap20')}>
          {draft.questions.map(({ id, options }) => (
            <Choices
              key={id}
              legend={QUESTION_WORDS[id].ask}
              value={draft.answers[id] ?? ''}
              onChange={(value) => draft.answer(id, value)}
              options={options.map(({ value, proposal }) => ({
                value,
                label: QUESTION_WORDS[id].answers[value] ?? value,
                note: proposal && answeredText(proposal, asset),
              }))}
            />
          ))}
          {editing && draft.learn.data && (
            <FormatEditor
              learned={draft.learn.data}
              asset={asset}
              form={draft.form}
              sure={reading !== null}
              onChange={draft.edit}
              preview={draft.preview.data}
              picked={picked}
            />
          )}
          {waits && <Waiting draft={draft} format={format} onRemove={() => setRemoving(true)} />}
          {!waits && (
            <>
              <TextField label="名稱" value={draft.name} onChange={draft.setName} maxLength={60} />
              <div className="row gap8">
                {!editing && draft.sample !== null && (
                  <Button size="s" icon="edit" onClick={() => draft.setEditing(true)}>
                    改怎麼讀
                  </Button>
                )}
                <Button size="s" kind="danger" icon="trash" onClick={() => setRemoving(true)}>
                  刪除這種格式
                </Button>
              </div>
            </>
          )}
        </div>
      </div>
      {removing && (
        <Remove
          webhook={webhook}
          format={format}
          onClose={() => setRemoving(false)}
          onDone={() => {
            onClose()
            onDone([])
          }}
        />
      )}
      {question}
    </Sheet>
  )
}

function titleOf({ state, name, proposal, extends: of }: WebhookFormat): string {
  if (state === 'confirmed') return name
  if (proposal === null) return '這則要怎麼讀？'
  return of === null ? '這樣讀對嗎？' : '第一次出現的字'
}

/** What the message would be with an answer: in the position it shows which one is meant. */
function answeredText(reading: FormatReading, asset: Asset): string {
  const { position_after: after } = reading
  return readingText(reading) + (after === null ? '' : `，部位變成${positionWords(after, asset).word}`)
}

/** In large words what the message would be; of a sample, was. */
function Reading({ reading, sample, asset }: { reading: FormatReading; sample: boolean; asset: Asset }) {
  const { action, rest } = readingParts(reading)
  return (
    <div className={css.reading} role="status">
      {sample && <p className="t13 ink3">樣本讀成</p>}
      <p className={css.action}>
        <Seal glyph={ASKED[reading.action].seal} hollow={/exit|close/.test(reading.action)} />
        {action}
      </p>
      <p className={css.rest}>
        {rest.map((part) => (
          <span key={part} className="num nowrap">
            {part}
          </span>
        ))}
      </p>
      {!sample && reading.position_after !== null && (
        <p className="ink2">
          部位會變成 <b className="num">{positionWords(reading.position_after, asset).word}</b>
        </p>
      )}
    </div>
  )
}

/** Why the message is none with what was said so far. */
function Unread({ draft: { preview, form } }: { draft: FormatDraft }) {
  const { data, error, stale } = preview
  if (!data)
    return (
      <p className="ink2" role="status">
        {error ? failureSentence(error, '填的內容還在，') : '試讀中'}
      </p>
    )
  const unsaid = [...Object.entries(form.words), ...Object.entries(form.units)].filter(
    ([, means]) => means === '',
  )
  if (unsaid.length > 0)
    return (
      <p className="ink2" role="status">
        請先選{unsaid.map(([word]) => `「${word || '沒寫單位的數字'}」`).join('')}的意思
      </p>
    )
  const { text, tone, icon } = verdictOf(data)
  return (
    <p role="status" aria-busy={stale} className={stale ? 'ink3' : undefined}>
      <Tag tone={tone} icon={icon}>
        {text}
      </Tag>{' '}
      {data.reason}
    </p>
  )
}

/** The message as it came: what is looked at is marked with what it is. */
type MessageProps = {
  draft: FormatDraft
  format: WebhookFormat
  asset: Asset
  onPick: (path: string) => void
}

function Message({ draft, format, asset, onPick }: MessageProps) {
  const { learn, said, preview, sample } = draft
  const values: Marked[] =
    said && preview.data
      ? preview.data.reading.map(({ path, value, as }) => ({
          path,
          value,
          as: markText(as, asset),
        }))
      : format.fields.map(({ path, value, role }) => ({
          path,
          value: value ?? '',
          as: markText(role, asset),
        }))
  const wrong = said && draft.reading === null ? (preview.data?.field ?? null) : null
  if (sample === null || learn.error)
    return (
      <div className="col gap8">
        <KeyValues
          rows={values.flatMap(({ path, value, as }) =>
            as === null ? [] : [{ key: path, label: as, value: value || path }],
          )}
        />
        <p className="t13 ink3">
          {sample === null ? '這樣的訊息都沒有留著。' : failureSentence(learn.error, '')}
        </p>
      </div>
    )
  if (!learn.data)
    return (
      <div role="status" aria-label="訊息載入中">
        <Bone h={110} style={{ display: 'block' }} />
      </div>
    )
  return (
    <CodeBlock
      read
      low={draft.editing}
      onPick={onPick}
      wrap
      label="訊息原文：標出來的是會看的，灰色的不看"
      code={marked(
        learn.data.body,
        draft.editing ? whole(values, learn.data.leaves) : values,
        wrong,
        draft.editing ? 'all' : 'marked',
      )}
    />
  )
}

/** All parts in their order: those that are read say what they are. */
function whole(values: readonly Marked[], leaves: readonly { path: string; value: string }[]): Marked[] {
  const said = new Map(values.map(({ path, as }) => [path, as]))
  return leaves.map(({ path, value }) => ({ path, value, as: said.get(path) ?? null }))
}

const WAYS: ReadonlySet<string> = new Set([ROLE_WORDS.action, ROLE_WORDS.side])

/** A known format in which a word is new: only that is asked. */
function NewWord({ draft, format }: { draft: FormatDraft; format: WebhookFormat }) {
  const word = format.fields.find(({ role }) => WAYS.has(ROLE_WORDS[role]))?.value ?? null
  if (word === null) return null
  return (
    <SelectField<Action>
      label={`「${word}」的意思`}
      value={draft.form.words[word] || (format.proposal?.action ?? '')}
      onChange={(means) => draft.edit({ ...draft.form, words: { ...draft.form.words, [word]: means } })}
      options={ACTION_OPTIONS}
      hint="其他都照確認過的格式。"
    />
  )
}

/** What becomes of the messages that wait. */
function Waiting({
  draft,
  format,
  onRemove,
}: {
  draft: FormatDraft
  format: WebhookFormat
  onRemove: () => void
}) {
  const { waiting_count: count } = format
  return (
    <div className="col gap12">
      {count === 0 ? (
        <p className="ink2">這樣的訊息目前照舊收下，標示「格式未確認」。確認後照這樣讀，不再標示。</p>
      ) : draft.old ? (
        <Choices
          legend={`${number(count)} 則在等，有的已經過了一會兒`}
          value={draft.waiting}
          onChange={draft.setWaiting}
          options={[
            { value: 'take', label: '照收到的時間記錄', note: '太久以前的不通知任何人' },
            { value: 'skip', label: '略過這幾則', note: '下一則開始收' },
          ]}
        />
      ) : (
        <p className="ink2">{number(count)} 則在等，確認後照收到的時間成為訊號。</p>
      )}
      <div>
        <Button kind="ghost" size="s" plain onClick={onRemove}>
          不是訊號，略過
        </Button>
      </div>
    </div>
  )
}

function Foot({
  draft,
  format,
  onDone,
}: {
  draft: FormatDraft
  format: WebhookFormat
  onDone: (signal_ids: readonly string[]) => void
}) {
  const online = useOnline()
  const { waits, editing, confirm, update, ready, dirty } = draft
  const failed = confirm.error ?? update.error
  const key = (
    <Button
      kind="filled"
      disabled={!online || !ready || (!waits && !dirty)}
      busy={confirm.isPending || update.isPending}
      onClick={() => draft.send(onDone)}
    >
      {waits ? '是，以後這樣讀' : '儲存'}
    </Button>
  )
  return (
    <div className={css.foot}>
      {editing &&
        (draft.reading ? <b role="status">{readingText(draft.reading)}</b> : <Unread draft={draft} />)}
      <Refused text={failed && failureSentence(failed, waits ? '訊息還在等，' : '填的內容還在，')} />
      <div className={css.keys}>
        {!editing && waits && format.sample_delivery_id !== null && (
          <Button onClick={() => draft.setEditing(true)}>不對</Button>
        )}
        {key}
      </div>
    </div>
  )
}

function Remove({
  webhook,
  format,
  onClose,
  onDone,
}: {
  webhook: Webhook
  format: WebhookFormat
  onClose: () => void
  onDone: () => void
}) {
  const waits = format.state === 'waiting'
  const { waiting_count: count } = format
  return (
    <Ask
      title={waits ? '略過這種訊息' : `刪除「${format.name}」`}
      verb={waits ? '略過' : '刪除格式'}
      mild={waits}
      icon={waits ? 'minus' : 'trash'}
      mutation={webhookMutations.deleteFormat(useCtx(), webhook.id)}
      input={format.id}
      done={{ title: waits ? '已略過' : `已刪除「${format.name}」` }}
      safe={waits ? '訊息還在等，' : '格式還在，'}
      onClose={onClose}
      onDone={onDone}
    >
      <p>
        {waits
          ? `${count > 0 ? `等著的 ${number(count)} 則不會成為訊號。` : ''}再收到這樣的訊息時會再問你。`
          : '這樣的訊息下次會再問你，確認以前不會成為訊號。已經收下的訊號不受影響。'}
      </p>
    </Ask>
  )
}
