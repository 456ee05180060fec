import './features.ts';
import { afterAll } from 'vitest';
import { forgetKept } from './kernel/redaction/gate.ts';

// Test files that share a thread share its last gate: what one of them keeps in would be masked in another.
afterAll(forgetKept);
