import type { FieldErrors, FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { CHECKED } from './form.ts'

/**
 * An error about several fields goes when another of them is changed.
 * @returns ends it
 */
export function checkAgainOnChange<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values>, 'subscribe' | 'trigger'>,
): () => void {
  return form.subscribe({
    formState: { values: true, errors: true },
    callback({ name, errors }) {
      // a try to send has no name: it has checked all fields
      if (name === undefined) return
      const others = Object.entries<FieldErrors[string]>(errors ?? {})
        .filter(([other, error]) => other !== name && error?.type === CHECKED)
        .map(([other]) => other)
      if (others.length > 0) void form.trigger(others as Path<Values>[])
    },
  })
}
