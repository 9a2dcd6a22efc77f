import { IconAlertCircle, IconCircleCheck, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import classes from './toast.module.css'

export type Toast = {
  title: string
  /** Second, quiet line. */
  detail?: ReactNode
  /** Shows Undo; the toast goes when it is pressed. */
  undo?: () => void
  /** Another verb in place of Undo, such as Try again. */
  action?: { label: string; onRun: () => void }
  /** Milliseconds until it leaves; 5000 when none is given. */
  duration?: number
}
type ShownToast = Toast & { id: number; tone: 'done' | 'error' }

/** Where toasts appear, how long each stays (ms) and how many at a time. */
export type ToastSettings = {
  place: 'top-right' | 'top-center' | 'bottom-center'
  duration: number
  limit: number
}

const usual: ToastSettings = { place: 'top-right', duration: 5000, limit: 4 }
let settings = usual
let shown: readonly ShownToast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: readonly ShownToast[]) {
  shown = next
  for (const listener of listeners) listener()
}

function hide(id: number) {
  set(shown.filter((toast) => toast.id !== id))
}

function show(tone: ShownToast['tone'], content: string | Toast): number {
  lastId += 1
  const toast = typeof content === 'string' ? { title: content } : content
  set([...shown, { ...toast, id: lastId, tone }].slice(-settings.limit))
  return lastId
}

/**
 * Short news at the top right, 5 s, stopped by hover and focus. `toast.done` for what happened ("Approved 92 records,
 * 231.5 h" with `undo`), `toast.error` for what did not; never for an error that belongs to a field.
 */
export const toast = {
  done: (content: string | Toast) => show('done', content),
  error: (content: string | Toast) => show('error', content),
  hide,
}

/** Other settings while a screen is open that the specification gives its own. */
export function useToastSettings(wanted: ToastSettings) {
  const { place, duration, limit } = wanted
  useEffect(() => {
    settings = { place, duration, limit }
    set(shown.slice(-limit))
    return () => {
      settings = usual
      set([...shown])
    }
  }, [place, duration, limit])
}

function ToastCard({ toast: item }: { toast: ShownToast }) {
  const action = item.action ?? (item.undo && { label: plainWords('ui.undo'), onRun: item.undo })
  return (
    <div className={classes.toast} data-tone={item.tone}>
      {item.tone === 'done' ? (
        <IconCircleCheck size={18} className={classes.icon} aria-hidden />
      ) : (
        <IconAlertCircle size={18} className={classes.icon} aria-hidden />
      )}
      <div className={classes.words}>
        <div className={classes.title}>{item.title}</div>
        {item.detail && <div className={classes.detail}>{item.detail}</div>}
      </div>
      {action && (
        <button
          type="button"
          className={classes.action}
          onClick={() => {
            hide(item.id)
            action.onRun()
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        className={classes.close}
        aria-label={plainWords('ui.close')}
        onClick={() => hide(item.id)}
      >
        <IconX size={16} aria-hidden />
      </button>
      <i
        className={classes.line}
        data-clock
        style={{ animationDuration: `${item.duration ?? settings.duration}ms` }}
        onAnimationEnd={() => hide(item.id)}
      />
    </div>
  )
}

/** The place where toasts appear; `Providers` holds one. The draining line is the clock: when it ends, the toast goes. */
export function Toasts() {
  const toasts = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shown,
  )
  const own = useRef<HTMLDivElement>(null)
  const stepsAside = toasts.length > 0 && settings.place === 'top-right'
  const [isPlaced, setPlaced] = useState(false)
  useEffect(() => {
    if (!stepsAside) return
    const aside = import('./toast-place.ts')
      .then(({ standAside }) => own.current && standAside(own.current))
      // Without its code they stay in their corner.
      .catch(() => undefined)
      .finally(() => setPlaced(true))
    return () => {
      setPlaced(false)
      void aside.then((end) => end?.())
    }
  }, [stepsAside])
  return (
    <div
      ref={own}
      role="status"
      aria-live="polite"
      className={`${classes.place} p-no-print`}
      data-place={settings.place}
      data-waits={(stepsAside && !isPlaced) || undefined}
    >
      {toasts.map((item) => (
        <ToastCard key={item.id} toast={item} />
      ))}
    </div>
  )
}
