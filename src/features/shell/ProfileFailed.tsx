// The profile could not be read and none is on this device (spec §8): the session ends, unless the device is only offline.
import { useEffect } from 'react'
import { ApiError } from '#contract/errors.ts'
import { getData } from '#data/current.ts'
import { NetworkError } from '#data/failure.ts'
import { useAskedProfile } from '#screen/profile.ts'
import { toast } from '#screen/toast.ts'
import { failureText } from '#text/errors.ts'
import { LOADING, PROFILE, SIGNED_OUT } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { LoadingScreen } from '#ui/LoadingScreen.tsx'
import { Lone } from './Lone.tsx'

/** `error` why the first profile did not come. */
export function ProfileFailed({ error }: { error: Error }) {
  const { refetch } = useAskedProfile()
  const offline = error instanceof NetworkError && error.kind === 'offline'
  useEffect(() => {
    if (offline) return
    const said = error instanceof ApiError ? (error.details.text ?? '') : failureText(error)
    toast({ title: PROFILE.fetch_failed, ...(said && { description: said }), variant: 'destructive' })
    void getData()
      .signOut()
      .then(() => toast({ title: SIGNED_OUT, icon: 'check' }))
  }, [offline, error])
  if (!offline) return <LoadingScreen {...LOADING.profile} />
  return (
    <Lone
      title="目前離線"
      action={
        <Button kind="filled" onClick={() => void refetch()}>
          重試
        </Button>
      }
    >
      你的資料還沒存到這支裝置。連上網路後就會載入，你仍然登入著。
    </Lone>
  )
}
