/* 加入碼: eight letters to read out or write on a board; on or off, reviewed or not, for how long, another one. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { InputOf } from '#contract/endpoint.ts'
import type { Organization, updateOrganization } from '#contract/organization.ts'
import { joinMutations } from '#data/nouns/invitation.ts'
import { organizationMutations } from '#data/nouns/organization.ts'
import { Ask } from '#screen/Ask.tsx'
import { failureSentence } from '#screen/failure.ts'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Switch } from '#ui/Switch.tsx'
import { Fields } from '../Fields.tsx'
import { useOrganization } from '../use-place.ts'
import { DefaultDays } from './DefaultDays.tsx'
import css from './JoinCodeCard.module.css'

export function JoinCodeCard({ organization }: { organization: Organization }) {
  const { id, ctx } = useOrganization()
  const update = useMutation(organizationMutations.update(ctx))
  const [rotating, setRotating] = useState(false)
  const { join_code, join_code_enabled = false, requires_review = true } = organization
  const change = (changes: Omit<InputOf<typeof updateOrganization>, 'id'>, title: string) =>
    update.mutate(
      { id, ...changes },
      {
        onSuccess: () => toast({ title, icon: 'check' }),
        onError: (error) =>
          toast({ title: '設定沒有變更', description: failureSentence(error), variant: 'destructive' }),
      },
    )
  return (
    <Card title="加入碼" pad>
      <Fields>
        <Switch
          label="用加入碼加入"
          note={
            join_code_enabled
              ? '知道這個碼的人，可以在「我的組織」輸入它。'
              : '打開後有一個 8 碼的加入碼，念給學員或寫在白板上都行。'
          }
          checked={join_code_enabled}
          disabled={update.isPending}
          onChange={(on) => change({ join_code_enabled: on }, on ? '加入碼已開啟' : '加入碼已停用')}
        />
        {join_code_enabled && join_code && (
          <>
            <div className={css.code}>
              <b className="num">{join_code}</b>
              <CopyButton size="s" kind="soft" text={join_code}>
                複製
              </CopyButton>
              <Button size="s" icon="refresh" onClick={() => setRotating(true)}>
                重新產生
              </Button>
            </div>
            <Switch
              label="加入碼需要審核"
              note={
                requires_review
                  ? '輸入加入碼的人送出申請，你通過後才是成員。'
                  : '知道加入碼的人登入就是成員；以前是成員的人仍要審核。'
              }
              checked={requires_review}
              disabled={update.isPending}
              onChange={(on) =>
                change({ requires_review: on }, on ? '改成需要審核' : '改成直接加入，不需審核')
              }
            />
          </>
        )}
        <DefaultDays key={organization.updated_at} organization={organization} />
      </Fields>
      {rotating && (
        <Ask
          title="重新產生加入碼？"
          verb="重新產生"
          icon="refresh"
          mutation={joinMutations.rotateCode(ctx)}
          input={{ id }}
          done={({ join_code: code }) => ({ title: '加入碼已換新', description: code })}
          safe="舊的加入碼還能用，"
          onClose={() => setRotating(false)}
        >
          <p>
            舊的加入碼 <b className="num">{join_code}</b> 立刻失效。已經加入的人與待審核的申請不受影響。
          </p>
        </Ask>
      )}
    </Card>
  )
}
