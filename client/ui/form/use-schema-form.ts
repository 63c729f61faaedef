/**
 * A form over the input schema of one call: checks on blur, sends once, shows the server's errors
 * on the fields.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type Resolver,
  useForm,
  type UseFormReturn,
  useWatch,
} from 'react-hook-form'
import type { TObject } from 'typebox'
import { failureText } from '#client/ui/feedback/failure.ts'
import { checkAgainOnChange } from './check-again.ts'
import {
  type AlsoRequired,
  type CrossCheck,
  fieldError,
  loadCheck,
  requiredNames,
  schemaInput,
  schemaResolver,
  serverFaults,
} from './form.ts'
import { pressEnded } from './press.ts'
import { markUnsaved } from './unsaved.ts'

export interface SchemaFormOptions<Values extends FieldValues> {
  schema: TObject
  values: DefaultValues<Values>
  /**
   * Fields of the schema that are not on the form (id, version): sent from `values`, not checked.
   */
  omit?: readonly string[]
  /** Rules over several fields. */
  check?: CrossCheck<Values>
  /** Marked and checked like those that the schema requires. */
  alsoRequired?: AlsoRequired<Values>
  /** Sends; a refusal with `fields` is shown on them, any other on the form. */
  onSubmit: (input: Values) => Promise<unknown>
  /** Called after a successful send. */
  onDone?: () => void
  /** Without a form on the screen no leave guard is needed. */
  guard?: boolean
}

/** Of a new row: null is empty, which the schema refuses where it is required. */
export type Blank<Values> = { [Name in keyof Values]: Values[Name] | null }

export interface SchemaForm<Values extends FieldValues> {
  form: UseFormReturn<Values>
  required: ReadonlySet<string>
  busy: boolean
  isDirty: boolean
  /** Message of a refusal that concerns no field; null = none. */
  refusal: string | null
  /** The refusal itself, for screens that show more of it (conflicts). */
  refusedBy: unknown
  /** How often a send was tried with errors: the summary is shown from the first. */
  attempts: number
  submit: () => Promise<void>
  reset: (values?: DefaultValues<Values>) => void
}

export function useSchemaForm<Values extends FieldValues>(
  options: SchemaFormOptions<Values>,
): SchemaForm<Values> {
  const { schema, omit, check, alsoRequired, guard = true } = options
  const latest = useRef(options)
  const sending = useRef(false)
  const [busy, setBusy] = useState(false)
  const [refusedBy, setRefusedBy] = useState<unknown>(null)
  const resolver = useMemo((): Resolver<Values> => {
    const resolve = schemaResolver<Values>(schema, { omit, check, alsoRequired })
    return async (...given) => {
      await pressEnded()
      return resolve(...given)
    }
  }, [schema, omit, check, alsoRequired])
  const form = useForm<Values>({
    defaultValues: options.values,
    resolver,
    mode: 'onTouched',
    // `FormBody` does, in the order of the fields on the screen
    shouldFocusError: false,
  })
  const { isDirty, submitCount } = form.formState
  // as a text, so that only another answer draws the form again
  const namesFor = (values: Values): string => alsoRequired?.(values).join(' ') ?? ''
  useWatch({ control: form.control, compute: namesFor })
  const needed = namesFor(form.getValues())
  const required = useMemo(() => {
    const own = requiredNames(schema).filter((name) => !omit?.includes(name))
    return new Set(needed === '' ? own : [...own, ...needed.split(' ')])
  }, [schema, omit, needed])

  useEffect(() => {
    latest.current = options
  })
  useEffect(() => void loadCheck(), [])
  useEffect(() => checkAgainOnChange(form), [form])
  useEffect(() => (guard && isDirty ? markUnsaved() : undefined), [guard, isDirty])

  const submit = useCallback(async () => {
    if (sending.current) return
    sending.current = true
    setBusy(true)
    setRefusedBy(null)
    try {
      await form.handleSubmit(async (values) => {
        const { onSubmit, onDone, values: initial } = latest.current
        try {
          await onSubmit(schemaInput(latest.current.schema, { ...initial, ...values }) as Values)
        } catch (error) {
          markFields(form, error, latest.current.schema, setRefusedBy)
          return
        }
        // The sent values are the new baseline, so that nothing counts as unsaved.
        form.reset(values)
        onDone?.()
      })()
    } finally {
      sending.current = false
      setBusy(false)
    }
  }, [form])
  const reset = useCallback(
    (values?: DefaultValues<Values>) => {
      setRefusedBy(null)
      form.reset(values ?? latest.current.values)
    },
    [form],
  )

  return {
    form,
    required,
    busy,
    isDirty,
    refusal: refusedBy === null ? null : failureText(refusedBy),
    refusedBy,
    attempts: submitCount,
    submit,
    reset,
  }
}

function markFields<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  schema: TObject,
  refuse: (error: unknown) => void,
): void {
  const faults = Object.entries(serverFaults(error, schema))
  const known = new Set(Object.keys(form.getValues()))
  const own = faults.filter(([name]) => known.has(name))
  // An error of a field the form does not show must still be visible.
  if (own.length < faults.length || !faults.length) refuse(error)
  for (const [name, found] of own) form.setError(name as Path<Values>, fieldError(found))
}
