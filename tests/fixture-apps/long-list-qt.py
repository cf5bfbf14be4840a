#!/usr/bin/python3
"""A Qt5 list of 300 items, of which the 37th is hidden."""
import sys

from PyQt5.QtWidgets import QApplication, QListWidget, QMainWindow

from scene import diary, listen

ITEMS = 300
HIDDEN = 37

if __name__ == "__main__":
    app = QApplication(sys.argv)
    window = QMainWindow()
    window.setWindowTitle("Plain list")
    items = QListWidget()
    items.setAccessibleName("Items")
    items.addItems(["item%d" % n for n in range(1, ITEMS + 1)])
    items.setRowHidden(HIDDEN - 1, True)
    items.itemClicked.connect(lambda item: diary(item=item.text()))
    window.setCentralWidget(items)
    window.resize(300, 300)
    window.show()
    listen(lambda perform, line: perform(line), {}, app.quit)
    diary(ready=True)
    sys.exit(app.exec_())
