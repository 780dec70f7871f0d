// 匯出我的資料: everything that is the person's, as one file.
import { useMutation } from '@tanstack/react-query'
import { accountMutations } from '#data/nouns/account.ts'
import { saveFile } from '#screen/browser.ts'
import { toast } from '#screen/toast.ts'
import { failureText } from '#text/errors.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'

export function ExportCard() {
  const fetch = useMutation({
    ...accountMutations.export(),
    onSuccess: (file) => {
      saveFile(file)
      toast({ title: `已匯出 ${file.filename}`, icon: 'check' })
    },
    onError: (error) => toast({ title: '沒有匯出', description: failureText(error), variant: 'destructive' }),
  })
  return (
    <Card title="匯出我的資料" pad>
      <div className="row gap12">
        <p className="sp t13 ink3">
          個人資料、登入紀錄、策略、訊息與完整的訊號紀錄，一個 JSON 檔；不含密碼與網址密鑰。
        </p>
        <Button size="s" icon="download" busy={fetch.isPending} onClick={() => fetch.mutate()}>
          匯出
        </Button>
      </div>
    </Card>
  )
}
