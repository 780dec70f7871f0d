/* /strategies/create/{futures,stock,xq-stock}: the form, then (?connect=) the webhook to connect: the same page, so that reloading keeps the place. */

import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { ApiError } from '#contract/errors.ts'
import { newKey } from '#data/client.ts'
import { strategyMutations } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { storage } from '#screen/device.ts'
import { useDirtyForm } from '#screen/dirty.ts'
import { failureSentence, refusedFields } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { useCreate, verifyFirst } from '#screen/ListActions.tsx'
import { dropDraft, keepDraft, readDraft } from '#state/draft.ts'
import { auth } from '#state/session.ts'
import { serverNowIso } from '#text/now.ts'
import { VERIFY_FIRST } from '#text/spec.ts'
import { hm } from '#text/time.ts'
import type { StrategyKind } from '#trading/record.ts'
import { Button } from '#ui/Button.tsx'
import { Banner } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { ConnectStep } from './connect/ConnectStep.tsx'
import { FormBar, FormPage, LeaveDialog } from './form/FormPage.tsx'
import { KIND_FORMS } from './form/kinds.ts'
import { StrategyForm } from './form/StrategyForm.tsx'
import { type FormKey, freshOf, restored, useStrategyForm } from './form/use-strategy-form.ts'
import { useBell } from './list/use-bell.ts'

export function StrategyNewPage({ kind }: { kind: StrategyKind }) {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const created = search['connect']
  return typeof created === 'string' ? (
    <ConnectStep strategy_id={created} from={search['from']} />
  ) : (
    <NewStrategy key={kind} kind={kind} />
  )
}

/* A new strategy of a kind: the form with its draft, created once however often the button or the network hiccups. */

/** What the form asks; all else stands under 更多設定. */
const ASKED: ReadonlySet<FormKey> = new Set(['name', 'settings.product_code', 'settings.symbols', 'source'])
const SAFE = '填好的內容存在這支裝置，'

export function NewStrategy({ kind }: { kind: StrategyKind }) {
  const { path, title } = KIND_FORMS[kind]
  const ctx = useCtx()
  const { open, go } = useGo()
  const uid = useSnapshot(auth).uid ?? ''
  const [draft, setDraft] = useState(() => readDraft(storage, { uid, ctx, kind }))
  const [kept, setKept] = useState<string | null>(null)
  const [fresh] = useState(() => freshOf(kind))
  const [first] = useState(() => restored(draft?.values, kind) ?? fresh)
  const form = useStrategyForm(kind, fresh, first)
  // what was set under 更多設定 before is not hidden from who comes back
  const [setMore] = useState(() =>
    (Object.keys(fresh) as FormKey[]).some(
      (key) => !ASKED.has(key) && JSON.stringify(first[key]) !== JSON.stringify(fresh[key]),
    ),
  )
  const done = useRef(false)
  useDirtyForm(form.dirty)
  // the same content keeps its key: a lost answer followed by another press does not make two strategies
  const sent = useRef({ body: '', key: '' })

  useEffect(() => {
    if (!form.dirty || done.current) return
    const keep = () => {
      if (done.current) return
      const now = serverNowIso()
      keepDraft(storage, { uid, ctx, kind }, now, form.values)
      setKept(hm(now))
    }
    const timer = setTimeout(keep, 300)
    // a page that goes away does not come to its timers any more
    const leave = () => {
      if (document.visibilityState === 'hidden') keep()
    }
    addEventListener('pagehide', keep)
    document.addEventListener('visibilitychange', leave)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', keep)
      document.removeEventListener('visibilitychange', leave)
    }
  }, [form.values, form.dirty, uid, ctx, kind])

  const bell = useBell()
  const create = useMutation({
    ...strategyMutations.create(ctx),
    onSuccess: (made) => {
      done.current = true
      dropDraft(storage, { uid, ctx, kind })
      bell.choose(made, form.values.notify)
      const { source } = form.values
      // who sends by hand has no use for an address: the sheet of a signal opens at once
      if (source === 'hand') open(`/strategies/${made.id}?tab=signals&manual=${made.id}`, true)
      else open(`${path}?connect=${made.id}&from=${source}`, true)
    },
    onError: (error) => {
      const fields = refusedFields(error)
      if (fields) form.refuse(fields)
    },
  })
  const submit = () => {
    const input = form.submit()
    if (!input || create.isPending) return
    const body = JSON.stringify(input)
    if (sent.current.body !== body) sent.current = { body, key: newKey(Date.now()) }
    create.mutate({ input, key: sent.current.key })
  }
  const restart = () => {
    dropDraft(storage, { uid, ctx, kind })
    setDraft(null)
    setKept(null)
    form.reset(fresh)
  }
  const { error } = create
  const refused = error instanceof ApiError && error.code === 6010
  const { unverified } = useCreate()
  // a link that leads here asks as the key does; the banner stays for those who write first
  useEffect(() => {
    if (unverified) verifyFirst.asking = true
  }, [unverified])
  const problem = error && !refused && !refusedFields(error) ? failureSentence(error, SAFE) : null
  return (
    <FormPage>
      <PageHead
        title={title}
        back={{ href: '/strategies/create', label: '新增策略', onOpen: () => open('/strategies/create') }}
      />
      <div className="stack">
        {draft && restored(draft.values, kind) && (
          <Banner
            icon="pencil"
            action={
              <Button size="s" kind="ghost" onClick={restart}>
                重新填寫
              </Button>
            }
          >
            已還原上次還沒建立的內容。
          </Banner>
        )}
        {(unverified || refused) && (
          <Banner
            tone="warn"
            icon="mail"
            urgent
            action={
              <Button size="s" kind="tint" {...go(`/profile?returnTo=${path}&verify=1`)}>
                {VERIFY_FIRST.go}
              </Button>
            }
          >
            {VERIFY_FIRST.text}
          </Banner>
        )}
        <StrategyForm form={form} onSubmit={submit} more={setMore}>
          <FormBar
            submit="建立策略"
            busy={create.isPending}
            problem={problem ?? form.rest[0]}
            kept={form.dirty && kept ? `已存在這支裝置 ${kept}` : ''}
            cancel="取消"
            onCancel={() => open('/strategies')}
          />
        </StrategyForm>
      </div>
      <LeaveDialog armed={() => form.dirty && !done.current} keeps onDrop={restart} />
    </FormPage>
  )
}
