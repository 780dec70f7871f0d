// Accepting and declining an invitation, and what the refusals mean for the person.
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { invitationMutations } from '#data/nouns/invitation.ts'
import { codeOf, failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { signOut } from '#screen/session.ts'
import { clearToasts, toast } from '#screen/toast.ts'
import { useArrive } from '../parts/arrive.ts'

/** Why it was refused, and the one thing that helps. */
export interface AnswerRefusal {
  text: string
  help?: { label: string; run: () => void }
}

/** `name` of the organization for the words; `code` of the invitation. */
export function useAnswer(name: string, code: string) {
  const { open } = useGo()
  const navigate = useNavigate()
  const arrive = useArrive()
  const [busy, setBusy] = useState<'accept' | 'decline' | null>(null)
  const [refusal, setRefusal] = useState<AnswerRefusal | null>(null)
  const accept = useMutation(invitationMutations.accept())
  const decline = useMutation(invitationMutations.decline())
  /** The code in the address has been used: the page is the list again. */
  const tidy = () => void navigate({ to: '/my-organizations', search: {}, replace: true })
  const refuse = (error: unknown) => setRefusal(refusalOf(error, open, code))

  async function answer(what: 'accept' | 'decline') {
    if (busy !== null) return
    setBusy(what)
    setRefusal(null)
    try {
      if (what === 'decline') {
        await decline.mutateAsync(code)
        toast({ title: `已婉拒「${name}」的邀請`, icon: 'info' })
        tidy()
        return
      }
      const { organization } = await accept.mutateAsync(code)
      clearToasts()
      await arrive(organization, name, tidy)
    } catch (error) {
      refuse(error)
    } finally {
      setBusy(null)
    }
  }
  return { busy, refusal, accept: () => void answer('accept'), decline: () => void answer('decline') }
}

/** Signs out and asks for the account that the invitation is for: the page fills in its address. */
export function signInAsOther(open: (href: string) => void, code: string): void {
  const back = encodeURIComponent(`/my-organizations?invite=${code}`)
  void signOut().then(() => open(`/login?returnTo=${back}`))
}

function refusalOf(error: unknown, open: (href: string) => void, code: string): AnswerRefusal {
  switch (codeOf(error)) {
    case 4033:
      return {
        text: '這份邀請寄給另一個電子郵件。請登出，再用收到邀請的那個帳號登入；還沒有帳號的話，用那個信箱註冊一個。',
        help: { label: '登出，換帳號', run: () => signInAsOther(open, code) },
      }
    case 4094:
      return { text: '你已經是這個組織的成員了。' }
    default:
      return { text: failureSentence(error, '還沒有回覆，') }
  }
}
