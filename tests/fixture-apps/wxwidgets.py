#!/usr/bin/python3
"""A small window in wxWidgets. The diary on standard output says what happened."""
import wx

from scene import diary


class Main(wx.Frame):
    def __init__(self):
        super().__init__(None, title="wx fixture", size=(360, 260))
        column = wx.BoxSizer(wx.VERTICAL)
        panel = wx.Panel(self)
        save, wrap = wx.Button(panel, label="Save"), wx.CheckBox(panel, label="Wrap")
        label, name = wx.StaticText(panel, label="Name"), wx.TextCtrl(panel, value="Ada")
        colour = wx.Choice(panel, choices=["Red", "Green", "Blue"])
        colour.SetSelection(0)
        for widget in (save, wrap, label, name, colour):
            column.Add(widget, 0, wx.EXPAND | wx.ALL, 4)
        panel.SetSizer(column)
        save.Bind(wx.EVT_BUTTON, lambda _: diary(clicked="Save"))
        wrap.Bind(wx.EVT_CHECKBOX, lambda event: diary(wrap=event.IsChecked()))
        name.Bind(wx.EVT_TEXT, lambda event: diary(name=event.GetString()))
        colour.Bind(wx.EVT_CHOICE, lambda event: diary(colour=event.GetString()))
        self.Show()


app = wx.App()
Main()
wx.CallAfter(lambda: diary(ready=True))
app.MainLoop()
