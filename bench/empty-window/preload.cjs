const { contextBridge, ipcRenderer } = require('electron');
contextBridge.exposeInMainWorld('echo', (value) => ipcRenderer.invoke('echo', value));
