/* What a new organization still lacks before a member sees its first signal; nothing once it is all there. */
import type { Organization } from '#contract/organization.ts'
import { useGo } from '#screen/go.ts'
import { CreateStrategy } from '#screen/ListKeys.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { StepMark } from '#ui/Tag.tsx'
import { ListRow } from '../parts/ListRow.tsx'
import { TwoLines } from '../parts/TwoLines.tsx'

export function NextSteps({ counts }: { counts: NonNullable<Organization['counts']> }) {
  const { go } = useGo()
  const steps = [
    { key: 'strategy', done: counts.strategies > 0, title: '建立組織的策略', note: '以組織的身份新增' },
    {
      key: 'group',
      done: counts.groups > 0,
      title: '建立策略群組',
      note: '把策略放進去，決定誰看得到',
      verb: '建立群組',
      href: '/organizations/manage?tab=groups',
    },
    {
      key: 'member',
      done: counts.members > counts.admins,
      title: '邀請成員',
      note: '邀請時就能選群組與到期日',
      verb: '邀請成員',
      href: '/organizations/manage?tab=invites',
    },
  ]
  const next = steps.find(({ done }) => !done)
  if (!next) return null
  const done = steps.filter((step) => step.done).length
  return (
    <Card
      title="開始使用"
      remark={
        <span className="t13 ink3 num">
          {done}／{steps.length}
        </span>
      }
    >
      <ol>
        {steps.map((step, at) => (
          <ListRow key={step.key}>
            <StepMark number={at + 1} state={step.done ? 'done' : step === next ? 'next' : 'open'} />
            <TwoLines className="sp">
              <b>{step.title}</b>
              <small>{step.done ? '完成' : step.note}</small>
            </TwoLines>
            {step === next &&
              (step.href ? (
                <Button size="s" kind="filled" {...go(step.href)}>
                  {step.verb}
                </Button>
              ) : (
                <CreateStrategy>
                  {(link) => (
                    <Button size="s" kind="filled" {...link}>
                      建立策略
                    </Button>
                  )}
                </CreateStrategy>
              ))}
          </ListRow>
        ))}
      </ol>
    </Card>
  )
}
