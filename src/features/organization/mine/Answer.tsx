/* The two answers to an invitation, which stay; after a refusal, why, and the one thing that helps. */
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { CardKeys } from '../parts/CardKeys.tsx'
import type { useAnswer } from './use-answer.ts'

export function Answer({ answer }: { answer: ReturnType<typeof useAnswer> }) {
  const { busy, refusal, accept, decline } = answer
  return (
    <>
      {refusal && (
        <Banner tone="warn" icon="warning" urgent>
          {refusal.text}
        </Banner>
      )}
      <CardKeys>
        {refusal?.help && (
          <Button kind="filled" onClick={refusal.help.run}>
            {refusal.help.label}
          </Button>
        )}
        <Button
          kind={refusal?.help ? 'outline' : 'filled'}
          icon="check"
          busy={busy === 'accept'}
          disabled={busy === 'decline'}
          onClick={accept}
        >
          接受邀請
        </Button>
        <Button busy={busy === 'decline'} disabled={busy === 'accept'} onClick={decline}>
          婉拒
        </Button>
      </CardKeys>
    </>
  )
}
