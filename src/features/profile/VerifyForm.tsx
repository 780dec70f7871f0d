// Verifying the e-mail: send the code, type it, done. The code is checked as soon as it has six digits.
import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { judgeReturnTo } from '#contract/return-to.ts'
import { accountMutations } from '#data/nouns/account.ts'
import { useGo } from '#screen/go.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { MAIL_IN_FOLDER } from '#text/account.ts'
import { failureText } from '#text/errors.ts'
import { NAV } from '#text/spec.ts'
import { hm } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { cx } from '#ui/open.ts'
import { TextField } from '#ui/TextField.tsx'
import { useCountdown } from './countdown.ts'
import formCss from './PasswordForm.module.css'
import css from './VerifyForm.module.css'

/** `sent_until`: a code is on its way already, good until then. `in_folder`: this server writes its mails as files. */
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
    <form ref={form} className={`${formCss.form} ${css.verify}`} onSubmit={submit} noValidate>
      <p className="t13 ink2">{sentTo(email, expires_at, in_folder)}</p>
      <Refused text={failed} />
      <div className={css.verifyRow}>
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
            className={css.code}
          />
        )}
        <Button
          kind={expires_at ? 'outline' : 'filled'}
          className={cx(expires_at && css.beside)}
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
  if (!expires_at) return in_folder ? `驗證後才能建立策略。${MAIL_IN_FOLDER}。` : '驗證後才能建立策略。'
  const until = `${hm(expires_at)} 前有效`
  return in_folder
    ? `${MAIL_IN_FOLDER}；給 ${email} 的驗證碼 ${until}。`
    : `驗證碼已寄到 ${email}，${until}。沒看到的話，也找找垃圾郵件。`
}
