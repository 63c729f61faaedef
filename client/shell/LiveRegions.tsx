import { useStore } from '#client/base/store.ts'
import { assertiveStore, politeStore, type Spoken } from '#client/ui/feedback/announce.ts'

/** Present from the start: a region inserted together with its text is not announced. */
export function LiveRegions() {
  const polite = useStore(politeStore)
  const assertive = useStore(assertiveStore)
  return (
    <div className="visually-hidden">
      <div aria-live="polite" aria-atomic="true">
        {spoken(polite)}
      </div>
      <div aria-live="assertive" aria-atomic="true">
        {spoken(assertive)}
      </div>
    </div>
  )
}

/** A trailing no-break space turns a repeated text into a changed one. */
function spoken({ text, nr }: Spoken): string {
  return nr % 2 === 0 ? text : `${text}\u00a0`
}
