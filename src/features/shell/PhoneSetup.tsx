/* 讓手機響一次: install, allow, try, 「聽到了」; where a push cannot be, the other ways. Put off, it waits on the profile. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { ChannelId } from '#contract/channels.ts'
import { channelMutations, channelQueries } from '#data/nouns/notification-setting.ts'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { isCarried, PushHere, useNeverRang, usePush } from '#screen/PushDevices.tsx'
import { useProfile } from '#screen/profile.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { ringing } from '#state/install.ts'
import { CHANNEL_WORDS } from '#text/notification.ts'
import { Button } from '#ui/Button.tsx'
import { Banner } from '#ui/EmptyState.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { StepMark } from '#ui/Tag.tsx'
import css from './ErrorList.module.css'
import { askInstall, canInstall } from './install.ts'

const OTHERS: readonly ChannelId[] = ['line', 'telegram', 'email']
const at = (channel: ChannelId) => `/signal-notification?tab=setting&channel=${channel}`

/** After a sign-in it opens by itself for members, whose signals come from others; else where a screen opens it. */
export function PhoneSetup() {
  const { asked, open } = useSnapshot(ringing)
  const { profile } = useProfile()
  const { pathname } = useLocation()
  const member = (profile?.organizations.length ?? 0) > 0
  // whoever came by a link came for something else first
  const leads = asked && member && pathname === '/dashboard' && isCarried()
  const never = useNeverRang(leads)
  useEffect(() => {
    if (!leads || !never) return
    Object.assign(ringing, { asked: false, open: true })
  }, [leads, never])
  const close = () => Object.assign(ringing, { asked: false, open: false })
  return (
    <Sheet
      open={open}
      onClose={close}
      title="讓這支手機響一次"
      subtitle="有訊號時，鎖著螢幕也聽得到。"
      foot={<Button onClick={close}>之後再說</Button>}
    >
      {open && <Steps onClose={close} />}
    </Sheet>
  )
}

function Steps({ onClose }: { onClose: () => void }) {
  const { open: lead } = useGo()
  const to = (href: string) => {
    onClose()
    lead(href)
  }
  const push = usePush()
  const test = useMutation(channelMutations.test())
  const { data: channels } = useQuery(channelQueries.list())
  const [installs, setInstalls] = useState(canInstall)
  const allowed = push.state === 'on'
  const failed = test.data?.find(({ delivered }) => !delivered)
  const rang = test.data !== undefined && !failed
  const elsewhere = ['unsupported', 'needs_install', 'denied'].includes(push.state)
  const others = OTHERS.filter((id) => channels?.some((one) => one.channel === id && one.state !== 'none'))
  const heard = () => {
    toast({ title: '這支手機會響', icon: 'check' })
    onClose()
  }
  const steps = [
    ...(installs
      ? [
          {
            title: '安裝',
            done: false,
            body: (
              <Button
                icon="download"
                onClick={() => {
                  setInstalls(false)
                  void askInstall()
                }}
              >
                放到主畫面
              </Button>
            ),
          },
        ]
      : []),
    { title: push.state === 'needs_install' ? '安裝' : '允許通知', done: allowed, body: <PushHere /> },
    {
      title: '試響一次',
      done: rang,
      body: allowed && (
        <>
          <Refused text={test.error && failureSentence(test.error)} />
          {failed && (
            <Banner tone="warn" icon="warning">
              {failed.reason ?? '沒有送到，請再試一次。'}
            </Banner>
          )}
          <Button
            kind={rang ? 'outline' : 'filled'}
            icon="bell"
            busy={test.isPending}
            onClick={() => test.mutate('push')}
          >
            {rang ? '再響一次' : '試響一次'}
          </Button>
        </>
      ),
    },
    {
      title: '聽到了嗎？',
      done: false,
      body: rang && (
        <div className="row gap8 wrap">
          <Button kind="filled" icon="check" onClick={heard}>
            聽到了
          </Button>
          <Button onClick={() => to('/signal-notification?tab=why')}>沒聽到</Button>
        </div>
      ),
    },
  ]
  const next = steps.findIndex(({ done }) => !done)
  return (
    <>
      <ol className={css.PhoneSetupSteps}>
        {steps.map(({ title, done, body }, index) => (
          <li key={title}>
            <StepMark number={index + 1} state={done ? 'done' : index === next ? 'next' : 'open'} />
            <div>
              <b>{title}</b>
              {body}
            </div>
          </li>
        ))}
      </ol>
      {elsewhere && others.length > 0 && (
        <section className={css.PhoneSetupOthers} aria-label="其他通道">
          <p>這裡還收不到推播，也可以改用：</p>
          <div className="row gap8 wrap">
            {others.map((id) => (
              <Button key={id} size="s" onClick={() => to(at(id))}>
                {CHANNEL_WORDS[id]}
              </Button>
            ))}
          </div>
        </section>
      )}
    </>
  )
}
