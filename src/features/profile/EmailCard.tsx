// The e-mail, which is the account: its verification, and another one in its place; privacy mode covers it as it covers the name.

import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { fieldMessages } from '#contract/field-messages.ts'
import { VERIFY_LIFE_S } from '#contract/limits.ts'
import { type Profile, updateEmail } from '#contract/profile.ts'
import { judgeReturnTo } from '#contract/return-to.ts'
import { accountMutations } from '#data/nouns/account.ts'
import { putProfile } from '#data/nouns/profile.ts'
import { useGo } from '#screen/go.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { masked } from '#screen/profile.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { noMail } from '#text/account.ts'
import { failureText } from '#text/errors.ts'
import { serverNow } from '#text/now.ts'
import { EMAIL, NAV } from '#text/spec.ts'
import { hm } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/open.ts'
import { Tag } from '#ui/Tag.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { PasswordDialog } from './PasswordForm.tsx'
import css from './ProfilePage.module.css'

export function EmailCard({
  email,
  verified,
  has_password,
  verification,
}: {
  email: string
  verified: boolean
  has_password: boolean
  verification: Profile['verification']
}) {
  const privacy = usePrivacy()
  const shown = privacy.on ? masked(email) : email
  const [changing, setChanging] = useState(false)
  const [sent_until, setSent] = useState<string | null>(null)
  return (
    <Card
      title="電子郵件"
      pad
      remark={
        verified ? (
          <Tag tone="good" icon="check">
            已驗證
          </Tag>
        ) : (
          <Tag tone="warn" icon="warning">
            還沒驗證
          </Tag>
        )
      }
    >
      <div className="row gap12">
        <p className={`row gap8 ${css.EmailCardMail} sp`}>
          <Icon name="mail" size={18} className="ink3" />
          <span>{shown}</span>
        </p>
        <Button size="s" onClick={() => setChanging(true)}>
          變更
        </Button>
      </div>
      {!verified && (
        <VerifyForm
          key={email}
          email={shown}
          sent_until={sent_until ?? verification?.sent_until ?? null}
          in_folder={verification?.in_folder ?? false}
        />
      )}
      {changing && (
        <EmailDialog
          has_password={has_password}
          onClose={() => setChanging(false)}
          onChanged={() => {
            setChanging(false)
            setSent(new Date(serverNow() + VERIFY_LIFE_S * 1_000).toISOString())
          }}
        />
      )}
    </Card>
  )
}

// Another e-mail: the password once more, and what happens then, in the words of spec §8.

/** What is said of a refusal, and at which field. Without an answer, or asked to wait, the failure has words of its own. */
function refusal(error: unknown): { at: 'password' | 'new_email'; text: string } {
  if (error instanceof ApiError && error.code === 6003) return { at: 'password', text: EMAIL.wrong_password }
  const own = !(error instanceof ApiError) || error.status === 429 || error.status >= 500
  return { at: 'new_email', text: own ? failureText(error) : EMAIL.taken }
}

export function EmailDialog({
  has_password,
  onClose,
  onChanged,
}: {
  has_password: boolean
  onClose: () => void
  onChanged: () => void
}) {
  const state = useForm({
    initial: { new_email: '', password: '' },
    check: (typed) => fieldMessages(updateEmail.input, typed),
    send: async (typed) => {
      const { email } = await accountMutations.email().mutationFn(typed)
      putProfile({ email, email_verified: false })
      toast({ title: EMAIL.updated, icon: 'check' })
      onChanged()
    },
    refused: (error) => {
      const { at, text } = refusal(error)
      toast({ title: text, variant: 'destructive' })
      return error instanceof ApiError ? { fields: { [at]: text } } : { text }
    },
  })
  return (
    <PasswordDialog
      {...state}
      password={state.field('password')}
      verb="變更電子郵件"
      icon="mail"
      has_password={has_password}
      then="來變更電子郵件"
      onClose={onClose}
    >
      <p>電子郵件就是帳號：之後用新的登入，並要重新驗證。原來的信箱會收到通知。</p>
      <TextField
        label="新的電子郵件"
        type="email"
        inputMode="email"
        autoComplete="email"
        placeholder="name@example.com"
        {...state.field('new_email')}
      />
    </PasswordDialog>
  )
}

// Verifying the e-mail: send the code, type it, done. The code is checked as soon as it has six digits.

/** `sent_until`: a code is on its way already, good until then. `in_folder`: this server sends no mail. */
export function VerifyForm({
  email,
  sent_until,
  in_folder,
}: {
  email: string
  sent_until: string | null
  in_folder: boolean
}) {
  const { open } = useGo()
  const { returnTo }: { returnTo?: string } = useSearch({ strict: false })
  const wanted = judgeReturnTo(returnTo, (address, base) => new URL(address, base))
  const [code, setCode] = useState('')
  const [error, setError] = useState('')
  const [failed, setFailed] = useState('')
  const [expires_at, setExpires] = useState<string | null>(sent_until)
  const wait = useCountdown()
  const form = useRef<HTMLFormElement>(null)
  const [sent, setSent] = useState(0)
  // the key that was pressed rests now and would lose the focus; the code is what comes next
  useEffect(() => {
    if (sent > 0) form.current?.querySelector('input')?.focus()
  }, [sent])
  // a code that was refused is the field's matter, everything else the key's
  const refuse = (failure: unknown) =>
    (failure instanceof ApiError && expires_at ? setError : setFailed)(failureText(failure))
  const send = useMutation({
    ...accountMutations.sendCode(),
    onMutate: () => setFailed(''),
    onSuccess: (answer) => {
      wait.start(answer.resend_after_s)
      setExpires(answer.expires_at)
      setError('')
      setSent((times) => times + 1)
    },
    onError: refuse,
  })
  const verify = useMutation({
    ...accountMutations.verify(),
    onMutate: () => setFailed(''),
    onSuccess: () => {
      toast({
        title: '電子郵件已驗證',
        icon: 'check',
        ...(wanted === null && {
          description: '可以建立策略了。',
          action: { label: NAV.create, onPick: () => open('/strategies/create') },
        }),
      })
      if (wanted !== null) open(wanted, true)
    },
    onError: (failure) => {
      // kept when nobody has seen it: Enter tries it again
      if (failure instanceof ApiError) setCode('')
      refuse(failure)
    },
  })
  const typed = (value: string) => {
    const digits = value.normalize('NFKC').replace(/\D/g, '').slice(0, 6)
    setCode(digits)
    setError('')
    if (digits.length === 6 && !verify.isPending) verify.mutate(digits)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.length < 6) setError('驗證碼是 6 位數字')
    else if (!verify.isPending) verify.mutate(code)
  }
  const again = wait.left > 0 ? `${wait.left} 秒後可再寄` : expires_at ? '再寄一次' : '寄出驗證碼'
  return (
    <form
      ref={form}
      className={`${css.PasswordFormForm} ${css.VerifyFormVerify}`}
      onSubmit={submit}
      noValidate
    >
      <p className="t13 ink2">{sentTo(email, expires_at, in_folder)}</p>
      <Refused text={failed} />
      <div className={css.VerifyFormVerifyRow}>
        {expires_at && (
          <TextField
            label="驗證碼"
            value={code}
            onChange={typed}
            error={error || undefined}
            inputMode="numeric"
            autoComplete="one-time-code"
            placeholder="6 位數字"
            mono
            spaced
            className={css.VerifyFormCode}
          />
        )}
        <Button
          kind={expires_at ? 'outline' : 'filled'}
          className={cx(expires_at && css.VerifyFormBeside)}
          busy={send.isPending}
          disabled={wait.left > 0}
          onClick={() => send.mutate()}
        >
          {again}
        </Button>
      </div>
    </form>
  )
}

/** Where the code is, and until when: a server without mail has sent nothing, so nobody looks into their mailbox for it. */
function sentTo(email: string, expires_at: string | null, in_folder: boolean): string {
  if (!expires_at)
    return in_folder
      ? `驗證後才能建立策略。這裡還不能寄信，驗證碼由管理這台伺服器的人給你。`
      : '驗證後才能建立策略。'
  const until = `${hm(expires_at)} 前有效`
  return in_folder
    ? `${noMail('驗證碼')}；給 ${email} 的驗證碼 ${until}。`
    : `驗證碼已寄到 ${email}，${until}。沒看到的話，也找找垃圾郵件。`
}

// Seconds that run down to zero, by the clock and not by counting ticks: a sleeping tab stays right.

/** `left` whole seconds, 0 when idle; `start(seconds)` begins anew. */
export function useCountdown() {
  const [until, setUntil] = useState(0)
  const [now, setNow] = useState(0)
  useEffect(() => {
    if (until <= serverNow()) return
    const timer = setInterval(() => {
      setNow(serverNow())
      if (serverNow() >= until) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [until])
  return {
    left: Math.max(0, Math.ceil((until - now) / 1_000)),
    start(seconds: number) {
      setNow(serverNow())
      setUntil(serverNow() + seconds * 1_000)
    },
  }
}
