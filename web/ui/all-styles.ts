/**
 * The styles of every Mantine component, in their own cascade layer so that ours win without tricks. Imported by the
 * shells, the page, the dialog and the form; the sign-in page does without and loads only what `Providers` names.
 */
import '@mantine/core/styles.layer.css'
