// Writes docs/api.md from the endpoints of the API.
import fs from 'node:fs';
import { apiReference } from './lib/api-reference.mjs';

fs.writeFileSync('docs/api.md', await apiReference());
