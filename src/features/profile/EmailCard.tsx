// The e-mail and its verification: one field for six digits, sent again when the server allows it.

import { Card } from '#ui/Card.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Tag } from '#ui/Tag.tsx'
import { VerifyForm } from './VerifyForm.tsx'

export function EmailCard({ email, verified }: { email: string; verified: boolean }) {
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
      <p className="row gap8 profile-mail">
        <Icon name="mail" size={18} className="ink3" />
        <span>{email}</span>
      </p>
      {!verified && <VerifyForm email={email} />}
    </Card>
  )
}
