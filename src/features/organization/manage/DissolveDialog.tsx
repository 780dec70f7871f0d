/* 解散組織: what goes, and the name typed once more. */
import { useState } from 'react'
import type { Organization } from '#contract/organization.ts'
import { organizationMutations } from '#data/nouns/organization.ts'
import { Ask } from '#screen/Ask.tsx'
import { dissolving } from '#screen/leaving.ts'
import { number } from '#text/format.ts'
import { TextField } from '#ui/TextField.tsx'
import { useOrganization } from './use-place.ts'

export function DissolveDialog({
  organization,
  onClose,
}: {
  organization: Organization
  onClose: () => void
}) {
  const { ctx } = useOrganization()
  const [typed, setTyped] = useState('')
  const { name, counts } = organization
  return (
    <Ask
      title="解散組織"
      verb="解散組織"
      sticky={typed !== ''}
      disabled={typed.normalize('NFC').trim() !== name.normalize('NFC')}
      mutation={{ ...organizationMutations.remove(ctx), ...dissolving }}
      input={{ id: organization.id, name: typed }}
      done={{ title: `已解散「${name}」` }}
      safe="組織還在，"
      onClose={onClose}
    >
      <p>
        {counts
          ? `${number(counts.strategies)} 個策略與全部訊號、${number(counts.members)} 位成員、${number(counts.groups)} 個群組都會刪除，Webhook 網址立刻停用。無法復原。`
          : '策略與訊號、成員、群組都會刪除，Webhook 網址立刻停用。無法復原。'}
      </p>
      <TextField
        label={`輸入「${name}」以確認`}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        placeholder={name}
      />
    </Ask>
  )
}
