// Over every page while an admin looks at what a member sees: as whom, that nothing can be changed, and the way out.
import { useSnapshot } from 'valtio'
import { useGo } from '#screen/go.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { masked } from '#screen/profile.ts'
import { leaveView } from '#screen/viewing.ts'
import { viewing } from '#state/app.ts'
import { Icon } from '#ui/Icon.tsx'
import { useRootMark } from '#ui/root-mark.ts'
import css from './ErrorList.module.css'

export function ViewBanner() {
  const { member } = useSnapshot(viewing)
  return member && <Standing name={member.name} />
}

function Standing({ name }: { name: string }) {
  const { open } = useGo()
  const privacy = usePrivacy()
  useRootMark('viewing')
  return (
    <section className={css.ViewBanner} aria-label="以成員身分檢視">
      <div className={css.ViewBannerIn}>
        <Icon name="eye" size={20} />
        <p className="sp el" role="status">
          以 <b>{privacy.on ? masked(name) : name}</b> 的身分檢視
          <span className={css.ViewBannerMore}>，只能看，不能修改</span>
        </p>
        <button type="button" onClick={() => leaveView(open)}>
          結束檢視
        </button>
      </div>
    </section>
  )
}
