// The e-mail, which is the account: its verification, and another one in its place; privacy mode covers it as it covers the name.

import { useState } from 'react'
import { VERIFY_LIFE_S } from '#contract/limits.ts'
import type { Profile } from '#contract/profile.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { masked } from '#screen/profile.ts'
import { serverNow } from '#text/now.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Tag } from '#ui/Tag.tsx'
import css from './EmailCard.module.css'
import { EmailDialog } from './EmailDialog.tsx'
import { VerifyForm } from './VerifyForm.tsx'

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
        <p className={`row gap8 ${css.mail} sp`}>
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
