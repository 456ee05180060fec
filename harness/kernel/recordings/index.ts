export { holdFile } from './held-file.ts';
export { ProvenanceLog, provenanceOf } from './provenance-log.ts';
export { Recorder } from './recorder.ts';
export {
  BadRecording,
  beginRecording,
  headerLine,
  type Load,
  type NewHeader,
  openRecording,
  type Recording,
  type RecordingHeader,
  readRecording,
  readRecordingHeader,
  type Selection,
} from './recording.ts';
