// 刪除帳號: what goes, what stays, the password once more.

import { useId, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { accountMutations } from '#data/nouns/account.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { failureText } from '#text/errors.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { useForm } from '#ui/use-form.ts'
import css from './DeleteCard.module.css'

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
  const id = useId()
  const { values, failure, busy, field, form } = useForm({
    initial: { password: '' },
    check: ({ password }): Record<string, string> => (password === '' ? { password: '請輸入密碼' } : {}),
    send: async (typed) => {
      await accountMutations.remove().mutationFn(typed)
      toast({ title: '帳號已刪除', description: '這支裝置上的資料也清除了。', icon: 'check' })
    },
    refused: (error) => {
      const text = failureText(error)
      if (!(error instanceof ApiError)) return { text }
      return { fields: { password: error.details.fields?.['password'] ?? text } }
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      sticky={values.password !== ''}
      title="刪除帳號"
      icon="trash"
      danger
      actions={
        <>
          <Button onClick={onClose} firstFocus>
            取消
          </Button>
          {has_password && (
            <Button kind="danger" icon="trash" type="submit" form={id} busy={busy}>
              刪除帳號
            </Button>
          )}
        </>
      }
    >
      <ul className={css.list}>
        <li>個人策略、訊號紀錄、通知設定與頭像會刪除，無法復原。</li>
        <li>Webhook 網址立刻停用，之後送來的訊號都不會收下。</li>
        <li>所有裝置登出；想留一份，請先匯出我的資料。</li>
        <li>你在組織裡建立的策略與紀錄屬於組織，會留下，但不再有你的名字。</li>
      </ul>
      {has_password ? (
        <form id={id} {...form}>
          <PasswordField label="輸入密碼以確認" autoComplete="current-password" {...field('password')} />
          <Refused text={failure} />
        </form>
      ) : (
        <p>這個帳號還沒有密碼。請先在「密碼」設定一個，再回來刪除。</p>
      )}
    </Dialog>
  )
}
