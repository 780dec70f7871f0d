// The profile could not be read and none is on this device (spec §8): the session ends, unless the device is only offline.
import { useEffect, useRef } from 'react'
import { ApiError } from '#contract/errors.ts'
import { getData } from '#data/current.ts'
import { NetworkError } from '#data/failure.ts'
import { failureSentence } from '#screen/failure.ts'
import { useAskedProfile } from '#screen/profile.ts'
import { toast } from '#screen/toast.ts'
import { failureText } from '#text/errors.ts'
import { LOADING, PROFILE, SIGNED_OUT } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { LoadingScreen } from '#ui/Skeleton.tsx'
import { Lone } from './Lone.tsx'

/**
 * The profile could not be read anew, and the device has one: nobody is signed out for that, but it is said where they are, once
 * until it can be read again. That nobody answers at all is the connection's to say.
 */
export function useStaleProfile(error: Error | null, refetch: () => Promise<unknown>): void {
  const answered =
    error instanceof ApiError || (error instanceof NetworkError && error.status !== null) ? error : null
  const said = useRef(false)
  const ask = useRef(refetch)
  ask.current = refetch
  useEffect(() => {
    if (!answered || said.current) {
      said.current = answered !== null
      return
    }
    said.current = true
    // its own page says so itself
    if (location.pathname === '/profile') return
    toast({
      title: PROFILE.fetch_failed,
      description: `${failureSentence(answered)}目前顯示的是這支裝置存下的資料。`,
      variant: 'destructive',
      action: { label: '重試', onPick: () => void ask.current() },
    })
  }, [answered])
}

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
