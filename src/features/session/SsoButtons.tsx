// Other accounts to sign in with; nothing when none is configured (or it cannot be asked: the form itself says what is wrong).
import { useQuery } from '@tanstack/react-query'
import { ssoQueries } from '#data/nouns/platform.ts'
import { Button } from '#ui/Button.tsx'
import css from './SsoButtons.module.css'

/** `return_to` is judged again by the server before anybody is sent there. */
export function SsoButtons({ return_to }: { return_to: string | undefined }) {
  const { data: providers = [] } = useQuery(ssoQueries.providers())
  if (providers.length === 0) return null
  const query = return_to ? `?${new URLSearchParams({ return_to })}` : ''
  return (
    <div className={css.sso}>
      <p>或</p>
      {providers.map(({ id, name, icon }) => (
        <Button key={id} size="l" wide href={`/api/v1/sso/${id}/start${query}`}>
          {icon && <img src={icon} alt="" width={20} height={20} />}以 {name} 登入
        </Button>
      ))}
    </div>
  )
}
