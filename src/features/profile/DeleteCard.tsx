// 刪除帳號: what goes, what stays, the password once more.

import { useState } from 'react'
import { accountMutations } from '#data/nouns/account.ts'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import css from './DeleteCard.module.css'
import { PasswordDialog, usePassword } from './PasswordDialog.tsx'

export function DeleteCard({ has_password }: { has_password: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <Card title="刪除帳號" pad>
      <div className="row gap12">
        <p className="sp t13 ink3">帳號、個人策略與訊號紀錄會全部刪除，無法復原。</p>
        <Button size="s" kind="danger" icon="trash" onClick={() => setOpen(true)}>
          刪除帳號
        </Button>
      </div>
      {open && <DeleteDialog has_password={has_password} onClose={() => setOpen(false)} />}
    </Card>
  )
}

function DeleteDialog({ has_password, onClose }: { has_password: boolean; onClose: () => void }) {
  const state = usePassword(async (typed) => {
    await accountMutations.remove().mutationFn(typed)
    toast({ title: '帳號已刪除', description: '這支裝置上的資料也清除了。', icon: 'check' })
  })
  return (
    <PasswordDialog
      {...state}
      verb="刪除帳號"
      icon="trash"
      danger
      has_password={has_password}
      then="回來刪除"
      onClose={onClose}
      always={
        <ul className={css.list}>
          <li>個人策略、訊號紀錄、通知設定與頭像會刪除，無法復原。</li>
          <li>Webhook 網址立刻停用，之後送來的訊號都不會收下。</li>
          <li>所有裝置登出；想留一份，請先匯出我的資料。</li>
          <li>你在組織裡建立的策略與紀錄屬於組織，會留下，但不再有你的名字。</li>
        </ul>
      }
    />
  )
}
